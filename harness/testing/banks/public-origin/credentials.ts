import { BARGE, CYRIL, DANA, EMIL, PUNT, RAFT } from './seed-data.ts'

/** The environment variables that a profile of this bank reads. */
export const credentials: Record<string, string> = {
  BARGE_ID: BARGE.id,
  BARGE_SANDBOX_SECRET: BARGE.secrets.sandbox ?? '',
  BARGE_PRODUCTION_SECRET: BARGE.secrets.production ?? '',
  BARGE_LOANS_SECRET: BARGE.secrets.loans ?? '',
  RAFT_ID: RAFT.id,
  RAFT_SANDBOX_SECRET: RAFT.secrets.sandbox ?? '',
  RAFT_PRODUCTION_SECRET: RAFT.secrets.production ?? '',
  PUNT_ID: PUNT.id,
  PUNT_SANDBOX_SECRET: PUNT.secrets.sandbox ?? '',
  CYRIL_NAME: CYRIL.name,
  CYRIL_WORD: CYRIL.word,
  DANA_NAME: DANA.name,
  DANA_WORD: DANA.word,
  EMIL_NAME: EMIL.name,
  EMIL_WORD: EMIL.word,
}
