/** Members of a JSON object that are left out. */
import type { Body } from '../rules/account-bodies.ts'

export const without = (body: Body, ...names: readonly string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
