import { errors } from 'oidc-provider'
import type { Adapter, Payload } from 'oidc-provider'

/**
 * Where the authorization server keeps its records. Its own quick-start store forgets the oldest of a thousand,
 * which a run of the suite exceeds. Records that have expired are told by their own date.
 */
export const createStore = (): ((model: string) => Adapter) => {
  const records = new Map<string, Payload>()
  return (model) => adapterOf(model, records)
}

const adapterOf = (model: string, records: Map<string, Payload>): Adapter => {
  const key = (id: string): string => `${model}:${id}`
  const own = (): [string, Payload][] => [...records].filter(([name]) => name.startsWith(`${model}:`))
  const findWhere = (matches: (payload: Payload) => boolean): Payload | undefined =>
    own().find(([, payload]) => matches(payload))?.[1]

  return {
    upsert: async (id, payload) => void records.set(key(id), payload),
    find: async (id) => records.get(key(id)),
    findByUid: async (uid) => findWhere((payload) => payload.uid === uid),
    findByUserCode: async (userCode) => findWhere((payload) => payload.userCode === userCode),
    async consume(id) {
      const payload = records.get(key(id))
      // Two requests at once both find it unused: which of them uses it is for the store to say.
      if (payload?.consumed !== undefined) throw new errors.InvalidGrant(`the ${model} is used already`)
      records.set(key(id), { ...payload, consumed: Math.floor(Date.now() / 1000) })
    },
    destroy: async (id) => void records.delete(key(id)),
    async revokeByGrantId(grantId) {
      for (const [name, payload] of own()) if (payload.grantId === grantId) records.delete(name)
    },
  }
}
