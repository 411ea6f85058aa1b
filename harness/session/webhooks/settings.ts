import { type Application } from '../application.ts'
import type { SettingsAttempt, TestHooks, WebhookSettings } from '../clock.ts'

/** Points the webhooks of applications at a scenario, and restores their settings afterwards. */

export interface Settings {
  /** By default the application that acts. */
  readonly app?: Application
  /** True by default. */
  readonly enabled?: boolean
  /** By default the address of the scenario. */
  readonly url?: string
  /** None by default. */
  readonly securityHeader?: string
}

export interface SettingsOptions {
  readonly testHooks: TestHooks
  /** By default the application that acts. */
  readonly app: () => Application
  /** Reports a security header to the redactor before it is sent. */
  readonly learn: (securityHeader: string) => void
  /** Called before the settings of an application are changed for the first time. @param before what restores them. */
  readonly onChange?: (before: WebhookSettings) => void
  /** The test hooks that restore the settings at the end of the scenario; by default the same ones. */
  readonly endTestHooks?: TestHooks
}

/** @param ownUrl the address of the scenario. @param settle waits for calls that are still on their way. */
export const changingSettings = (options: SettingsOptions, ownUrl: string, settle: () => Promise<void>) => {
  const { testHooks, endTestHooks = testHooks } = options
  const taken = new Map<string, WebhookSettings>()
  const found = new Map<string, WebhookSettings>()

  // A value of blanks would be found everywhere.
  const learn = ({ securityHeader }: WebhookSettings): void =>
    securityHeader.trim() === '' ? undefined : options.learn(securityHeader)

  /** @throws if they cannot be read: settings that cannot be restored are not overwritten. */
  const storeSettings = async (clientId: string): Promise<void> => {
    const settings = await testHooks.readWebhook(clientId)
    if (settings === undefined) return
    learn(settings)
    found.set(clientId, settings)
  }

  const restoreOne = async (settings: WebhookSettings): Promise<void> => {
    const before = found.get(settings.clientId)
    if (before !== undefined && (await endTestHooks.configureWebhook(before)).taken) return
    // They may be disabled already, but this is not known.
    await endTestHooks.configureWebhook({ ...settings, enabled: false, securityHeader: '' })
  }

  return {
    /** Sends settings of an application, whether they are accepted or not. What is left out has its default. */
    configure: async (settings: Settings = {}): Promise<SettingsAttempt> => {
      const { app = options.app(), enabled = true, url = ownUrl, securityHeader = '' } = settings
      const { clientId } = app.profile
      const all = { clientId, enabled, url, securityHeader }
      learn(all)
      // A call that is still on its way was made under the earlier settings.
      if (taken.has(clientId)) await settle()
      else {
        await storeSettings(clientId)
        options.onChange?.(found.get(clientId) ?? { ...all, enabled: false, securityHeader: '' })
      }
      const before = taken.get(clientId)
      // After an interruption the answer is not known: the settings may have been accepted.
      taken.set(clientId, all)
      const attempt = await testHooks.configureWebhook(all)
      if (attempt.taken) return attempt
      if (before === undefined) taken.delete(clientId)
      else taken.set(clientId, before)
      return attempt
    },
    /** Restores the settings of before; if they are not known, disables what the scenario enabled. */
    restore: async () => {
      // If one cannot be restored, the others are restored all the same.
      for (const settings of taken.values()) await restoreOne(settings).catch(() => undefined)
    },
  }
}
