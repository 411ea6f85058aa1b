import { expect, test } from 'vitest'
import { takeOffline } from './offline.ts'

const encode = (code: string): string => Buffer.from(code).toString('base64')

const PAGE = `<!DOCTYPE html>
<html>
<head>
    <title> Conformance </title>
    <script>window.allureReportOptions = {"id":"awesome"}</script>
</head>
<body>
    <script src="data:text/javascript;base64,${encode('const home = "https://allurereport.org"')}"></script>
    <script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>
    <script>
        window.dataLayer = window.dataLayer || [];
        function gtag(){dataLayer.push(arguments);}
        gtag('config', 'G-1', {});
    </script>
    <script async>window.allureReportData = {}</script>
    <p>Žofia Čierna · 10 €</p>
</body>
</html>`

const page = Buffer.concat(takeOffline(Buffer.from(PAGE))).toString()

test('analytics are gone, and the rest of the page stays', () => {
  expect(page).not.toMatch(/google|gtag|https:/)
  expect(page).toContain('window.allureReportOptions')
  expect(page).toContain('window.allureReportData')
  expect(page.match(/<script/g)).toHaveLength(3)
  expect(page).toContain('<p>Žofia Čierna · 10 €</p>\n</body>\n</html>')
})

test('the program links to no site', () => {
  expect(page).toContain(encode('const home = "about:blank"'))
})

test('the browser is told to load nothing from elsewhere, before it reads anything else', () => {
  const policy = /<head>\s*<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page)?.[1]
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/https?:|\*/)
})
