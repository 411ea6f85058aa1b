import { readFileSync } from 'node:fs'

/** A commented profile for a TPP whose secrets come from the environment. */
export const exampleProfile: string = readFileSync(new URL('./example.yaml', import.meta.url), 'utf8')
