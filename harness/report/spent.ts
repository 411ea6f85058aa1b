import { exchangesOf } from './evidence-lines.ts'

/** How many requests a run has sent, by operation: whatever became of them. What the target has sent is none of them. */
export const spentIn = (evidence: string): ReadonlyMap<string, number> => {
  const spent = new Map<string, number>()
  for (const { sender, operation } of exchangesOf(evidence))
    if (sender !== 'target') spent.set(operation, (spent.get(operation) ?? 0) + 1)
  return spent
}
