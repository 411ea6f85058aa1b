import { WEB } from './requirements.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** What a bank can get wrong about the settings of webhooks. */

/** Takes URLs that are such as well. */
const takingUrls =
  (isTaken: (url: string, count: number) => boolean): RuleChange =>
  (lawful) => {
    let count = 0
    return {
      webhookUrlIsAccepted: (facts) => {
        if (facts.url.includes('?')) count += 1
        return isTaken(facts.url, count) || lawful.webhookUrlIsAccepted(facts)
      },
    }
  }

const refusingUrls =
  (isRefused: (url: string) => boolean): RuleChange =>
  (lawful) => ({
    webhookUrlIsAccepted: (facts) => !isRefused(facts.url) && lawful.webhookUrlIsAccepted(facts),
  })

/** Takes security headers by another test. */
const testingHeaders =
  (test: (header: string, count: number) => boolean): RuleChange =>
  () => {
    let count = 0
    return { securityHeaderIsAccepted: ({ securityHeader }) => test(securityHeader, ++count) }
  }

const ALLOWED = /^[ a-zA-Z0-9=+/]*$/

type Kept = Parameters<Rules['settingsKept']>[0]

/** Keeps something of settings that it has refused. */
const keeping =
  (keep: (facts: Kept) => Kept['change'] | undefined): RuleChange =>
  (lawful) => ({
    settingsKept: (facts) => (facts.isRefused ? keep(facts) : lawful.settingsKept(facts)),
  })

const urls: readonly Defect[] = [
  {
    id: 'webhook-url-with-a-query-taken',
    story: 'A webhook URL may have a query.',
    breaks: [WEB.urlWithParametersIsRefused],
    rules: takingUrls((url) => url.includes('?')),
  },
  {
    id: 'webhook-url-with-a-parameter-without-value-taken',
    story: 'What has no equals sign is not taken for a parameter of a webhook URL.',
    breaks: [WEB.urlWithParametersIsRefused],
    rules: takingUrls((url) => url.includes('?') && !url.includes('=')),
  },
  {
    id: 'webhook-url-with-a-query-behind-a-slash-taken',
    story: 'The query of a webhook URL is not seen behind a slash.',
    breaks: [WEB.urlWithParametersIsRefused],
    rules: takingUrls((url) => url.includes('/?')),
  },
  {
    id: 'webhook-url-with-one-parameter-taken',
    story: 'A webhook URL may have one parameter, and not two.',
    breaks: [WEB.urlWithParametersIsRefused],
    rules: takingUrls((url) => url.includes('?') && !url.includes('&')),
  },
  {
    id: 'webhook-url-with-a-query-taken-later',
    story: 'A webhook URL with parameters is refused the first time, and then taken.',
    breaks: [WEB.urlWithParametersIsRefused],
    rules: takingUrls((url, count) => url.includes('?') && count > 1),
  },
  {
    id: 'webhook-url-with-a-slash-at-its-end-refused',
    story: 'A webhook URL must not end in a slash.',
    breaks: [WEB.plainUrlIsAccepted],
    rules: refusingUrls((url) => url.endsWith('/')),
  },
  {
    id: 'webhook-url-with-an-escape-refused',
    story: 'The path of a webhook URL must not have escapes.',
    breaks: [WEB.plainUrlIsAccepted],
    rules: refusingUrls((url) => url.includes('%')),
  },
]

const headers: readonly Defect[] = [
  {
    id: 'empty-security-header-refused',
    story: 'A security header must be set.',
    breaks: [WEB.emptySecurityHeaderIsAccepted],
    rules: testingHeaders((header) => header !== '' && ALLOWED.test(header)),
  },
  {
    id: 'security-header-cannot-be-emptied',
    story: 'A security header that is set can be changed, and not taken away.',
    breaks: [WEB.emptySecurityHeaderIsAccepted],
    rules: (lawful) => {
      let isSet = false
      return {
        securityHeaderIsAccepted: (facts) => {
          if (facts.securityHeader !== '') isSet = true
          return !(isSet && facts.securityHeader === '') && lawful.securityHeaderIsAccepted(facts)
        },
      }
    },
  },
  {
    id: 'security-header-of-50-characters-at-most',
    story: 'A security header of more than 50 characters is refused.',
    breaks: [WEB.matchingSecurityHeaderIsAccepted],
    rules: testingHeaders((header) => header.length <= 50 && ALLOWED.test(header)),
  },
  {
    id: 'security-header-with-a-plus-sign-refused',
    story: 'A security header must not have a plus sign.',
    breaks: [WEB.matchingSecurityHeaderIsAccepted],
    rules: testingHeaders((header) => /^[ a-zA-Z0-9=/]*$/.test(header)),
  },
  {
    id: 'security-header-of-several-blanks-refused',
    story: 'A security header is a scheme and a value: it has one blank at most.',
    breaks: [WEB.matchingSecurityHeaderIsAccepted],
    rules: testingHeaders((header) => header.split(' ').length <= 2 && ALLOWED.test(header)),
  },
  {
    id: 'security-header-of-any-characters-taken',
    story: 'The pattern of security headers is looked for, and found in front of everything.',
    breaks: [WEB.otherSecurityHeaderIsRefused],
    rules: testingHeaders((header) => /^[ a-zA-Z0-9=+/]*/.test(header)),
  },
  {
    id: 'security-header-tested-by-its-first-character',
    story: 'Only the first character of a security header is held against the pattern.',
    breaks: [WEB.otherSecurityHeaderIsRefused],
    rules: testingHeaders((header) => ALLOWED.test(header.slice(0, 1))),
  },
  {
    id: 'security-header-tested-by-its-last-character',
    story: 'Only the last character of a security header is held against the pattern.',
    breaks: [WEB.otherSecurityHeaderIsRefused],
    rules: testingHeaders((header) => ALLOWED.test(header.slice(-1))),
  },
  {
    id: 'security-header-of-word-characters-taken',
    story: 'A security header may have hyphens, underscores and full stops.',
    breaks: [WEB.otherSecurityHeaderIsRefused],
    rules: testingHeaders((header) => /^[ \w=+/.-]*$/.test(header)),
  },
  {
    id: 'security-header-of-any-letters-taken',
    story: 'A letter of any alphabet may stand in a security header.',
    breaks: [WEB.otherSecurityHeaderIsRefused],
    rules: testingHeaders((header) => /^[ \p{L}0-9=+/]*$/u.test(header)),
  },
  {
    id: 'security-header-of-any-digits-taken',
    story: 'A digit of any script may stand in a security header.',
    breaks: [WEB.otherSecurityHeaderIsRefused],
    rules: testingHeaders((header) => /^[ a-zA-Z\p{Nd}=+/]*$/u.test(header)),
  },
  {
    id: 'security-header-of-any-white-space-taken',
    story: 'Whatever is white space may stand in a security header, tabs included.',
    breaks: [WEB.otherSecurityHeaderIsRefused],
    rules: testingHeaders((header) => /^[\sa-zA-Z0-9=+/]*$/.test(header)),
  },
  {
    id: 'security-header-tested-once',
    story: 'Only the first security headers of an application are held against the pattern.',
    breaks: [WEB.otherSecurityHeaderIsRefused],
    rules: testingHeaders((header, count) => count > 4 || ALLOWED.test(header)),
  },
]

const refusals: readonly Defect[] = [
  {
    id: 'refused-settings-hold',
    story: 'Settings that are refused hold all the same.',
    breaks: [WEB.refusedSettingsChangeNothing],
    rules: keeping(({ change }) => change),
  },
  {
    id: 'refused-url-holds',
    story: 'Settings with a URL that is refused hold all the same, those with a security header do not.',
    breaks: [WEB.refusedSettingsChangeNothing],
    rules: keeping(({ change }) => (change.url.includes('?') ? change : undefined)),
  },
  {
    id: 'refused-security-header-is-sent',
    story: 'Settings with a security header that is refused hold all the same.',
    breaks: [WEB.refusedSettingsChangeNothing],
    rules: keeping(({ change }) => (ALLOWED.test(change.securityHeader) ? undefined : change)),
  },
]

export const defectsOfSettings: readonly Defect[] = [...urls, ...headers, ...refusals]
