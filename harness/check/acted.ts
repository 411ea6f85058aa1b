/**
 * What was done on a target, as far as a check must know it. The author of a spec states it with `scenario` or
 * `property` (harness/session).
 */
export interface Acted<Record = unknown, Value = unknown> {
  readonly kind: 'scenario' | 'property'
  readonly title: string
  act(session: never, value: Value): Promise<Record>
}
