import { setFlagsFromString } from 'node:v8'

/**
 * For a process that is over before most of what the engine would optimize for it is ready: of two cores, more is left
 * to its work. What it learns of types it learns from the first call on.
 */

// Later versions optimize in smaller steps, and do not know the flag.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000')
setFlagsFromString('--no-lazy-feedback-allocation')
