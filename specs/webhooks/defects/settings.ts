import {
  accept,
  alter,
  defectsOf,
  isOfAFac,
  isOfATpp,
  refuse,
  when,
  type FactsOf,
  type Past,
} from '../../shared/changes.ts'
import { WEB } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** Webhook settings that are accepted or refused wrongly, and webhooks that are active too early, too late or never. */

/** URLs of another pattern. */
const acceptUrl = (pattern: RegExp) => accept('webhookUrlIsAccepted', ({ url }) => pattern.test(url))
const refuseUrl = (pattern: RegExp) => refuse('webhookUrlIsAccepted', ({ url }) => pattern.test(url))

const urls: readonly Defect[] = [
  ...defectsOf([WEB.urlWithParametersIsRefused], {
    'A webhook URL may have a query': acceptUrl(/\?/),
    'A webhook URL may have a parameter without a value': acceptUrl(/^[^=]*\?[^=]*$/),
    'The webhook URL of a TPP may have a query': when(isOfATpp, acceptUrl(/\?/)),
    'The webhook URL of a FAC may have a query': when(isOfAFac, acceptUrl(/\?/)),
  }),
  ...defectsOf([WEB.plainUrlIsAccepted], {
    'A webhook URL must not end in a slash': refuseUrl(/\/$/),
    'The webhook URL of a TPP must not end in a slash': when(isOfATpp, refuseUrl(/\/$/)),
    'The path of a webhook URL must not have percent escapes': refuseUrl(/%/),
  }),
]

/** Security headers of another pattern. */
const acceptHeader = (pattern: RegExp) =>
  accept('securityHeaderIsAccepted', ({ securityHeader }) => pattern.test(securityHeader))
const refuseHeader = (pattern: RegExp) =>
  refuse('securityHeaderIsAccepted', ({ securityHeader }) => pattern.test(securityHeader))

const headers: readonly Defect[] = [
  ...defectsOf([WEB.otherSecurityHeaderIsRefused], {
    'A security header may end with a line feed': acceptHeader(/^[ a-zA-Z0-9=+/]*\n$/),
    'A security header may have several lines': acceptHeader(/^[ a-zA-Z0-9=+/]*$/m),
  }),
  ...defectsOf([WEB.matchingSecurityHeaderIsAccepted], {
    'A security header of one character is refused': refuseHeader(/^.$/),
    'A security header of more than 128 characters is refused': refuseHeader(/.{129}/),
  }),
  ...defectsOf([WEB.emptySecurityHeaderIsAccepted], {
    'A TPP must set a security header': when(isOfATpp, refuseHeader(/^$/)),
    'A security header must be set': refuseHeader(/^$/),
    'A security header can be changed, and not removed': refuse(
      'securityHeaderIsAccepted',
      ({ securityHeader }, past) =>
        securityHeader === '' &&
        past.of('securityHeaderIsAccepted').some(({ facts }) => facts.securityHeader !== ''),
    ),
  }),
  ...defectsOf([WEB.matchingSecurityHeaderIsAccepted], {
    'The security header of a TPP must not have a plus sign': when(isOfATpp, refuseHeader(/\+/)),
    'A security header must not have a plus sign': refuseHeader(/\+/),
    'A security header may have one blank at most': refuseHeader(/ .* /),
  }),
  ...defectsOf([WEB.otherSecurityHeaderIsRefused], {
    'The pattern of security headers has no end, and matches every value': acceptHeader(/^[ a-zA-Z0-9=+/]*/),
    'Only the first character of a security header is checked': acceptHeader(/^[ a-zA-Z0-9=+/]/),
    'Only the last character of a security header is checked': acceptHeader(/[ a-zA-Z0-9=+/]$/),
    'A security header may have hyphens, underscores and full stops': acceptHeader(/^[ \w=+/.-]*$/),
    'A security header may have letters of any alphabet': acceptHeader(/^[ \p{L}0-9=+/]*$/u),
    'The security header of a TPP may have any character': accept('securityHeaderIsAccepted', isOfATpp),
    'A security header may have any white space, such as tabs': acceptHeader(/^[\sa-zA-Z0-9=+/]*$/),
  }),
]

/** Stores such settings although they are refused. */
const store = (where: (change: FactsOf<'settingsKept'>['change']) => boolean) =>
  alter({ settingsKept: (kept, { change }) => kept ?? (where(change) ? change : undefined) })

const refusals = defectsOf([WEB.refusedSettingsChangeNothing], {
  'Refused settings are in force all the same': store(() => true),
  'Settings that are refused for their security header are in force all the same': store(
    ({ securityHeader }) => /[^ a-zA-Z0-9=+/]/.test(securityHeader),
  ),
})

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Webhooks that become active at another time. */
const activeFrom = (time: (enabledAt: number, usual: number) => number) =>
  alter({
    webhookActiveFrom: (usual, { enabledAt }) => new Date(time(enabledAt.getTime(), usual.getTime())),
  })

const nextFull = (enabledAt: number, period: number): number => (Math.floor(enabledAt / period) + 1) * period

const wasActive = ({ client }: FactsOf<'webhookIsActive'>, past: Past<'webhookIsActive'>): boolean =>
  past.of('webhookIsActive').some((call) => call.facts.client === client && call.answer)

const activation: readonly Defect[] = [
  ...defectsOf([WEB.nothingIsSentBeforeTheNextFullHour], {
    'Webhooks are active from the moment when they are enabled': activeFrom((enabledAt) => enabledAt),
    'Webhooks become active a minute before the full hour': activeFrom((enabledAt, usual) =>
      Math.max(enabledAt, usual - MINUTE),
    ),
    'Webhooks become active at the next half of an hour': activeFrom((time) => nextFull(time, HOUR / 2)),
    'Webhooks that are enabled early in an hour become active at 20 minutes past': activeFrom(
      (enabledAt, usual) => (enabledAt % HOUR < 20 * MINUTE ? usual - 40 * MINUTE : usual),
    ),
    'Webhooks that are enabled in the last hour of a day are active at once': activeFrom(
      (enabledAt, usual) => (usual % (24 * HOUR) === 0 ? enabledAt : usual),
    ),
    'Webhooks that were active before are active as soon as they are enabled again': accept(
      'webhookIsActive',
      (facts, past) => facts.activeFrom !== undefined && wasActive(facts, past),
    ),
  }),
  ...defectsOf([WEB.webhooksAreActiveFromTheNextFullHour], {
    'Webhooks become active a minute after the full hour': activeFrom((_, usual) => usual + MINUTE),
    'Webhooks become active half a minute after the full hour': activeFrom((_, usual) => usual + MINUTE / 2),
  }),
  ...defectsOf([WEB.activationWaitsForTheNextHourAlone], {
    'Webhooks that are enabled in the last minute of an hour become active an hour late': activeFrom(
      (enabledAt, usual) => (usual - enabledAt <= MINUTE ? usual + HOUR : usual),
    ),
  }),
  ...defectsOf([WEB.activationWaitsForTheNextHourAlone, WEB.nothingIsSentBeforeTheNextFullHour], {
    'Webhooks become active 29 minutes after they were enabled': activeFrom((time) => time + 29 * MINUTE),
  }),
  ...defectsOf([WEB.disabledWebhookIsNotCalled], {
    'An application is notified as soon as it has set a URL, enabled or not': accept(
      'webhookIsActive',
      ({ settings }) => settings.url !== '' && !settings.enabled,
    ),
    'Webhooks that were active once stay active after they are disabled': accept(
      'webhookIsActive',
      (facts, past) => !facts.settings.enabled && wasActive(facts, past),
    ),
  }),
  ...defectsOf([WEB.disabledWebhookIsNotCalled, WEB.nothingIsSentBeforeTheNextFullHour], {
    'Refreshes are notified as soon as a URL is set': alter(
      {
        webhookIsActive: (isActive, { settings }, past) =>
          isActive || (settings.url !== '' && past.of('recipients').at(-1)?.facts.event === 'accountEvent'),
      },
      'recipients',
    ),
  }),
  ...defectsOf([WEB.bookingIsNotified], {
    'When one application disables its webhooks, no application is notified': alter(
      {
        webhookIsActive: (isActive, { client }, past) => {
          const disabled = past.of('settingsKept').filter(({ answer }) => answer?.enabled === false)
          return isActive && (disabled.length === 0 || disabled.some(({ facts }) => facts.client === client))
        },
      },
      'settingsKept',
    ),
  }),
]

export const settingDefects: readonly Defect[] = [...urls, ...headers, ...refusals, ...activation]
