import type { ChapterRows } from '../harness/check/requirement.ts'
import accounts from './accounts/requirements.ts'
import authorization from './authorization/requirements.ts'
import consent from './consent/requirements.ts'
import environments from './environments/requirements.ts'
import loans from './loans/requirements.ts'
import payments from './payments/requirements.ts'
import refresh from './refresh/requirements.ts'
import tokens from './tokens/requirements.ts'
import transactions from './transactions/requirements.ts'
import webhooks from './webhooks/requirements.ts'

/** The whole catalogue, in the order of the chapters. */
export const chapters: readonly ChapterRows[] = [
  consent,
  authorization,
  tokens,
  accounts,
  transactions,
  refresh,
  webhooks,
  payments,
  loans,
  environments,
]
