import './spec-runner.ts'

/**
 * The setup file of a worker. Vitest runs it anew before each spec file, and what it imports only once: that is why
 * there is nothing else in it.
 */
