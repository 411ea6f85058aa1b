import { breaking, isOfAFac, isOfATpp, where, type FactsOf } from '../../shared/defects.ts'
import { WEB } from '../requirements.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'

/** Webhook settings that are accepted or refused wrongly, and webhooks that are active too early, too late or never. */

/** Accepts such URLs; `count` is how many with parameters there were. */
const acceptingUrls =
  (isAccepted: (url: string, count: number) => boolean): RuleChange =>
  (lawful) => {
    let count = 0
    return {
      webhookUrlIsAccepted: (facts) => {
        if (facts.url.includes('?')) count += 1
        return isAccepted(facts.url, count) || lawful.webhookUrlIsAccepted(facts)
      },
    }
  }

const refusingUrls = (isRefused: (url: string) => boolean): RuleChange =>
  where(({ url }) => isRefused(url), { webhookUrlIsAccepted: () => false })

/** Accepts the security headers that pass another test. */
const acceptingHeaders =
  (test: (header: string, count: number) => boolean): RuleChange =>
  () => {
    let count = 0
    return { securityHeaderIsAccepted: ({ securityHeader }) => test(securityHeader, ++count) }
  }

const ALLOWED = /^[ a-zA-Z0-9=+/]*$/

type KeptFacts = FactsOf<'settingsKept'>

/** Keeps something of refused settings. */
const keepingRefused = (keep: (facts: KeptFacts) => KeptFacts['change'] | undefined): RuleChange =>
  where(({ isRefused }) => isRefused, { settingsKept: keep })

const urls: readonly Defect[] = [
  ...breaking(WEB.urlWithParametersIsRefused, {
    'webhook-url-with-a-query-taken': {
      story: 'A webhook URL may have a query.',
      rules: acceptingUrls((url) => url.includes('?')),
    },
    'webhook-url-with-a-parameter-without-value-taken': {
      story: 'A webhook URL may have a parameter without a value.',
      rules: acceptingUrls((url) => url.includes('?') && !url.includes('=')),
    },
    'webhook-url-with-a-query-behind-a-slash-taken': {
      story: 'A webhook URL may have a query after a slash.',
      rules: acceptingUrls((url) => url.includes('/?')),
    },
    'webhook-url-with-one-parameter-taken': {
      story: 'A webhook URL may have one parameter.',
      rules: acceptingUrls((url) => url.includes('?') && !url.includes('&')),
    },
    'webhook-url-of-a-tpp-with-a-query-taken': {
      story: 'The webhook URL of a TPP may have a query.',
      rules: where(isOfATpp, { webhookUrlIsAccepted: () => true }),
    },
    'webhook-url-of-a-fac-with-a-query-taken': {
      story: 'The webhook URL of a FAC may have a query.',
      rules: where(isOfAFac, { webhookUrlIsAccepted: () => true }),
    },
    'webhook-url-with-a-query-taken-later': {
      story: 'A webhook URL with parameters is refused the first time, and then accepted.',
      rules: acceptingUrls((url, count) => url.includes('?') && count > 1),
    },
  }),
  ...breaking(WEB.plainUrlIsAccepted, {
    'webhook-url-with-a-slash-at-its-end-refused': {
      story: 'A webhook URL must not end in a slash.',
      rules: refusingUrls((url) => url.endsWith('/')),
    },
    'webhook-url-of-a-tpp-with-a-slash-at-its-end-refused': {
      story: 'The webhook URL of a TPP must not end in a slash.',
      rules: where((facts) => isOfATpp(facts) && facts.url.endsWith('/'), {
        webhookUrlIsAccepted: () => false,
      }),
    },
    'webhook-url-with-an-escape-refused': {
      story: 'The path of a webhook URL must not have percent escapes.',
      rules: refusingUrls((url) => url.includes('%')),
    },
  }),
]

const headers: readonly Defect[] = [
  ...breaking(WEB.emptySecurityHeaderIsAccepted, {
    'empty-security-header-of-a-tpp-refused': {
      story: 'A TPP must set a security header.',
      rules: where((facts) => isOfATpp(facts) && facts.securityHeader === '', {
        securityHeaderIsAccepted: () => false,
      }),
    },
    'empty-security-header-refused': {
      story: 'A security header must be set.',
      rules: acceptingHeaders((header) => header !== '' && ALLOWED.test(header)),
    },
    'security-header-cannot-be-emptied': {
      story: 'A security header can be changed, and not removed.',
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
  }),
  ...breaking(WEB.matchingSecurityHeaderIsAccepted, {
    'security-header-of-50-characters-at-most': {
      story: 'A security header of more than 50 characters is refused.',
      rules: acceptingHeaders((header) => header.length <= 50 && ALLOWED.test(header)),
    },
    'security-header-of-a-tpp-with-a-plus-sign-refused': {
      story: 'The security header of a TPP must not have a plus sign.',
      rules: where((facts) => isOfATpp(facts) && facts.securityHeader.includes('+'), {
        securityHeaderIsAccepted: () => false,
      }),
    },
    'security-header-with-a-plus-sign-refused': {
      story: 'A security header must not have a plus sign.',
      rules: acceptingHeaders((header) => /^[ a-zA-Z0-9=/]*$/.test(header)),
    },
    'security-header-of-several-blanks-refused': {
      story: 'A security header may have one blank at most.',
      rules: acceptingHeaders((header) => header.split(' ').length <= 2 && ALLOWED.test(header)),
    },
  }),
  ...breaking(WEB.otherSecurityHeaderIsRefused, {
    'security-header-of-any-characters-taken': {
      story: 'The pattern of security headers has no end, and so it matches every value.',
      rules: acceptingHeaders((header) => /^[ a-zA-Z0-9=+/]*/.test(header)),
    },
    'security-header-tested-by-its-first-character': {
      story: 'Only the first character of a security header is checked.',
      rules: acceptingHeaders((header) => ALLOWED.test(header.slice(0, 1))),
    },
    'security-header-tested-by-its-last-character': {
      story: 'Only the last character of a security header is checked.',
      rules: acceptingHeaders((header) => ALLOWED.test(header.slice(-1))),
    },
    'security-header-of-word-characters-taken': {
      story: 'A security header may have hyphens, underscores and full stops.',
      rules: acceptingHeaders((header) => /^[ \w=+/.-]*$/.test(header)),
    },
    'security-header-of-any-letters-taken': {
      story: 'A security header may have letters of any alphabet.',
      rules: acceptingHeaders((header) => /^[ \p{L}0-9=+/]*$/u.test(header)),
    },
    'security-header-of-a-tpp-not-tested': {
      story: 'The security header of a TPP may have any character.',
      rules: where(isOfATpp, { securityHeaderIsAccepted: () => true }),
    },
    'security-header-of-any-digits-taken': {
      story: 'A security header may have digits of any script.',
      rules: acceptingHeaders((header) => /^[ a-zA-Z\p{Nd}=+/]*$/u.test(header)),
    },
    'security-header-of-any-white-space-taken': {
      story: 'A security header may have any white space, such as tabs.',
      rules: acceptingHeaders((header) => /^[\sa-zA-Z0-9=+/]*$/.test(header)),
    },
    'security-header-tested-once': {
      story: 'Only the first four security headers are checked.',
      rules: acceptingHeaders((header, count) => count > 4 || ALLOWED.test(header)),
    },
  }),
]

const refusals: readonly Defect[] = [
  ...breaking(WEB.refusedSettingsChangeNothing, {
    'refused-settings-hold': {
      story: 'Refused settings are in force all the same.',
      rules: keepingRefused(({ change }) => change),
    },
    'refused-url-holds': {
      story: 'Settings that are refused for their URL are in force all the same.',
      rules: keepingRefused(({ change }) => (change.url.includes('?') ? change : undefined)),
    },
    'refused-security-header-is-sent': {
      story: 'Settings that are refused for their security header are in force all the same.',
      rules: keepingRefused(({ change }) => (ALLOWED.test(change.securityHeader) ? undefined : change)),
    },
  }),
]

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Makes webhooks active at another moment. */
const activeFrom =
  (from: (enabledAt: number, lawful: number) => number): RuleChange =>
  (lawful) => ({
    webhookActiveFrom: (facts) =>
      new Date(from(facts.enabledAt.getTime(), lawful.webhookActiveFrom(facts).getTime())),
  })

/** Makes webhooks active in additional cases. */
const activeAlso =
  (isActive: (facts: FactsOf<'webhookIsActive'>, wasActive: boolean) => boolean): RuleChange =>
  (lawful) => {
    const active = new Set<string>()
    return {
      webhookIsActive: (facts) => {
        const { clientId } = facts.client
        if (lawful.webhookIsActive(facts)) active.add(clientId)
        return lawful.webhookIsActive(facts) || isActive(facts, active.has(clientId))
      },
    }
  }

const activation: readonly Defect[] = [
  ...breaking(WEB.nothingIsSentBeforeTheNextFullHour, {
    'webhooks-active-at-once': {
      story: 'Webhooks are active from the moment when they are enabled.',
      rules: activeFrom((enabledAt) => enabledAt),
    },
    'webhooks-active-a-minute-before-the-hour': {
      story: 'Webhooks become active a minute before the full hour.',
      rules: activeFrom((enabledAt, lawful) => Math.max(enabledAt, lawful - MINUTE)),
    },
    'webhooks-active-at-the-quarter': {
      story: 'Webhooks become active at the next quarter of an hour.',
      rules: activeFrom((enabledAt) => (Math.floor((enabledAt / HOUR) * 4) + 1) * (HOUR / 4)),
    },
    'webhooks-active-at-the-half-hour': {
      story: 'Webhooks become active at the next half of an hour.',
      rules: activeFrom((enabledAt) => (Math.floor((enabledAt / HOUR) * 2) + 1) * (HOUR / 2)),
    },
    'webhooks-active-at-the-next-third-of-an-hour': {
      story: 'Webhooks that are enabled in the first minutes of an hour become active at 20 minutes past.',
      rules: activeFrom((enabledAt, lawful) =>
        enabledAt % HOUR < 20 * MINUTE ? lawful - 40 * MINUTE : lawful,
      ),
    },
    'webhooks-enabled-again-active-at-once': {
      story: 'Webhooks that were active before are active as soon as they are enabled again.',
      rules: activeAlso(({ activeFrom: from }, wasActive) => wasActive && from !== undefined),
    },
  }),
  ...breaking(WEB.webhooksAreActiveFromTheNextFullHour, {
    'webhooks-active-a-minute-after-the-hour': {
      story: 'Webhooks become active a minute after the full hour.',
      rules: activeFrom((_, lawful) => lawful + MINUTE),
    },
    'webhooks-active-half-a-minute-after-the-hour': {
      story: 'Webhooks become active half a minute after the full hour.',
      rules: activeFrom((_, lawful) => lawful + MINUTE / 2),
    },
  }),
  ...breaking(WEB.activationWaitsForTheNextHourAlone, {
    'webhooks-of-the-last-minute-active-an-hour-late': {
      story: 'Webhooks that are enabled in the last minute of an hour become active an hour late.',
      rules: activeFrom((enabledAt, lawful) => (lawful - enabledAt <= MINUTE ? lawful + HOUR : lawful)),
    },
    'webhooks-active-29-minutes-later': {
      story: 'Webhooks become active 29 minutes after they were enabled, whatever the hour.',
      alsoBreaks: [WEB.nothingIsSentBeforeTheNextFullHour],
      rules: activeFrom((enabledAt) => enabledAt + 29 * MINUTE),
    },
  }),
  ...breaking(WEB.disabledWebhookIsNotCalled, {
    'disabled-webhooks-active': {
      story: 'An application is notified as soon as it has set a URL, enabled or not.',
      rules: activeAlso(({ settings }) => settings.url !== '' && !settings.enabled),
    },
    'webhooks-cannot-be-disabled': {
      story: 'Webhooks that were active once stay active after they are disabled.',
      rules: activeAlso(({ settings }, wasActive) => wasActive && !settings.enabled),
    },
    'refreshes-are-notified-whether-enabled-or-not': {
      story: 'Refreshes are notified as soon as a URL is set.',
      alsoBreaks: [WEB.nothingIsSentBeforeTheNextFullHour],
      rules: (lawful) => {
        let isRefresh = false
        return {
          recipients: (facts) => {
            isRefresh = facts.event === 'accountEvent'
            return lawful.recipients(facts)
          },
          webhookIsActive: (facts) =>
            lawful.webhookIsActive(facts) || (isRefresh && facts.settings.url !== ''),
        }
      },
    },
  }),
  ...breaking(WEB.bookingIsNotified, {
    'one-application-disables-the-webhooks-of-all': {
      story: 'When one application disables its webhooks, no application is notified.',
      rules: (lawful) => {
        const disabled = new Set<string>()
        return {
          settingsKept: (facts) => {
            const kept = lawful.settingsKept(facts)
            if (kept?.enabled === false) disabled.add(facts.client.clientId)
            return kept
          },
          webhookIsActive: (facts) =>
            (disabled.size === 0 || disabled.has(facts.client.clientId)) && lawful.webhookIsActive(facts),
        }
      },
    },
  }),
]

export const settingDefects: readonly Defect[] = [...urls, ...headers, ...refusals, ...activation]
