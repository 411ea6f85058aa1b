import type { Plan } from '../../plan/plan.ts'

/** What an authorization is for, by the id of its exchange: `tokens/a-code-exchange@TPP/4`, or `…:grant/1`. */
export const purposeOf = ({ checks }: Plan, id: string): string => {
  const of = id.replace(/\/\d+$/, '')
  const isShared = of.endsWith(':grant')
  const scenario = of
    .replace(/:grant$/, '')
    .replace(/~\d+$/, '')
    .replace(/\.\d+$/, '')
  const served = checks.filter(
    (check) => check.heldBack === undefined && (isShared ? check.sharesGrant : check.scenario === scenario),
  )
  const count = new Set(served.map(({ requirement }) => requirement)).size
  const requirements = `${count} ${count === 1 ? 'requirement' : 'requirements'}`
  return isShared ? `a grant that all share who only read (${requirements})` : `${scenario} (${requirements})`
}
