/**
 * What is worked out of an object once, and goes with it. A WeakMap that outlives its keys would have the same meaning;
 * but whoever collects young objects takes what such a map holds for alive, and all that it refers to: whole scenarios.
 * A copy of the owner is without it.
 * @param name for whoever looks at the owner with a debugger.
 */
export const attached = <Owner extends object, Value>(
  name: string,
): ((owner: Owner, workOut: (owner: Owner) => Value) => Value) => {
  const key = Symbol(name)
  return (owner, workOut) => {
    const known = owner as { readonly [key]?: Value }
    if (key in known) return known[key]
    const value = workOut(owner)
    Object.defineProperty(owner, key, { value })
    return value
  }
}
