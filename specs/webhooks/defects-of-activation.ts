import { WEB } from './requirements.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** Webhooks that are active too early, too late, or not at all. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE

type Facts = Parameters<Rules['webhookActiveFrom']>[0]

const activeFrom =
  (from: (enabledAt: number, lawful: number, facts: Facts) => number): RuleChange =>
  (lawful) => ({
    webhookActiveFrom: (facts) =>
      new Date(from(facts.enabledAt.getTime(), lawful.webhookActiveFrom(facts).getTime(), facts)),
  })

/** Is active where `isActive` says so, and otherwise as it is lawful. */
const activeToo =
  (isActive: (facts: Parameters<Rules['webhookIsActive']>[0], wasActive: boolean) => boolean): RuleChange =>
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

export const defectsOfActivation: readonly Defect[] = [
  {
    id: 'webhooks-active-at-once',
    story: 'Webhooks are active from the moment on in which they are enabled.',
    breaks: [WEB.nothingIsSentBeforeTheNextFullHour],
    rules: activeFrom((enabledAt) => enabledAt),
  },
  {
    id: 'webhooks-active-a-minute-before-the-hour',
    story: 'Webhooks become active a minute before the full hour.',
    breaks: [WEB.nothingIsSentBeforeTheNextFullHour],
    rules: activeFrom((enabledAt, lawful) => Math.max(enabledAt, lawful - MINUTE)),
  },
  {
    id: 'webhooks-active-at-the-quarter',
    story: 'Webhooks become active at the next quarter of an hour.',
    breaks: [WEB.nothingIsSentBeforeTheNextFullHour],
    rules: activeFrom((enabledAt) => (Math.floor((enabledAt / HOUR) * 4) + 1) * (HOUR / 4)),
  },
  {
    id: 'webhooks-enabled-again-active-at-once',
    story: 'Webhooks that were active before are active as soon as they are enabled again.',
    breaks: [WEB.nothingIsSentBeforeTheNextFullHour],
    rules: activeToo(({ activeFrom: from }, wasActive) => wasActive && from !== undefined),
  },
  {
    id: 'webhooks-active-a-minute-after-the-hour',
    story: 'Webhooks become active a minute after the full hour.',
    breaks: [WEB.webhooksAreActiveFromTheNextFullHour],
    rules: activeFrom((_, lawful) => lawful + MINUTE),
  },
  {
    id: 'webhooks-active-half-a-minute-after-the-hour',
    story: 'Webhooks become active half a minute after the full hour.',
    breaks: [WEB.webhooksAreActiveFromTheNextFullHour],
    rules: activeFrom((_, lawful) => lawful + MINUTE / 2),
  },
  {
    id: 'webhooks-of-the-last-minute-active-an-hour-late',
    story: 'Webhooks that are enabled in the last minute of an hour wait for the next but one.',
    breaks: [WEB.activationWaitsForTheNextHourAlone],
    rules: activeFrom((enabledAt, lawful) => (lawful - enabledAt <= MINUTE ? lawful + HOUR : lawful)),
  },
  {
    id: 'webhooks-active-29-minutes-later',
    story: 'Webhooks become active 29 minutes after they were enabled, whatever the hour.',
    breaks: [WEB.activationWaitsForTheNextHourAlone],
    rules: activeFrom((enabledAt) => enabledAt + 29 * MINUTE),
  },
  {
    id: 'disabled-webhooks-active',
    story: 'An application is notified as soon as it has set a URL, enabled or not.',
    breaks: [WEB.disabledWebhookIsNotCalled],
    rules: activeToo(({ settings }) => settings.url !== '' && !settings.enabled),
  },
  {
    id: 'webhooks-cannot-be-disabled',
    story: 'Webhooks that were active once stay so, though they are disabled.',
    breaks: [WEB.disabledWebhookIsNotCalled],
    rules: activeToo(({ settings }, wasActive) => wasActive && !settings.enabled),
  },
]
