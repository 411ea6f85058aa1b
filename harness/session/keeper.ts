import type { ApplicationProfile, CustomerProfile } from '../profile/schema.ts'
import type { Access } from './wallet.ts'

/** A grant as it outlives a run: with what it can be renewed by. */
export interface KeptGrant {
  readonly access: Access
  readonly refreshToken?: string
}

/** Keeps the grants that scenarios share for the next run. */
export interface Keeper {
  find(application: ApplicationProfile, customer: CustomerProfile | undefined): KeptGrant | undefined
  keep(application: ApplicationProfile, customer: CustomerProfile | undefined, grant: KeptGrant): void
  /** It is of no use any more. */
  drop(application: ApplicationProfile, customer: CustomerProfile | undefined): void
}

/** Nothing outlives the run. */
export const noKeeper: Keeper = { find: () => undefined, keep: () => undefined, drop: () => undefined }
