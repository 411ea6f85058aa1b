/** Codes of the examination itself. */
export const HARNESS_CODES = {
  'OWN-LEFT-1': {
    level: 'notice',
    title: 'A step was left out',
    next: 'Do what the finding that it names asks for, and look again.',
  },
  'OWN-STEP-1': {
    level: 'error',
    title: 'A step of the examination failed by itself',
    next: 'This says nothing about the target: report it with this text.',
  },
} as const
