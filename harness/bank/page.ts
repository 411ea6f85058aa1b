/** The frame of every page that a person sees. No script, nothing from elsewhere. */
import { html, type Html } from './html.ts'
import { STYLE_PATH } from './style.ts'

export const frame = (title: string, content: Html): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Reference Bank</title>
        <link rel="stylesheet" href="${STYLE_PATH}" />
      </head>
      <body>
        <main>
          <header>Reference Bank</header>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`
