import { mainOf } from './run.ts'

/** `npm run plan`: shows what a run with the same options would send, as `npm test -- --dry-run` does. */
export const main = mainOf('plan')
