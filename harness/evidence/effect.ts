/**
 * What a request does to the world. `read` changes nothing, `consent` creates consents, grants and tokens, `notify`
 * asks for notifications, `apply` files a loan application, `pay` moves money.
 */
export const EFFECTS = ['read', 'consent', 'notify', 'apply', 'pay'] as const

export type Effect = (typeof EFFECTS)[number]
