import type { Layer } from './layer.ts'

/** Has a person send a request that is for one. @param log writes into the log of the run. */
export const broughtByPerson =
  ({ now, ends }: { readonly now: () => Date; readonly ends?: AbortSignal }, log: Layer): Layer =>
  async (sending, next) => {
    const { bring } = sending
    if (bring === undefined) return next(sending)
    return log(sending, async ({ id, effect, request: { sender, operation, method, url } }) => {
      const sentAt = now().toISOString()
      const startedAt = performance.now()
      const handover = await bring(id, ends)
      return {
        kind: 'exchange',
        id,
        sender,
        operation,
        effect,
        request: { method, url, headers: [] },
        handover,
        sentAt,
        durationMs: performance.now() - startedAt,
      }
    })
  }
