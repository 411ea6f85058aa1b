import * as z from 'zod'

/** Where a part of the profile can differ: in an environment of the account and payment API, or in the loan sandbox. */
export const PLACES = ['sandbox', 'production', 'loans'] as const

export type Place = (typeof PLACES)[number]

/**
 * Where something exists, with what differs there: `{ sandbox: {}, loans: { url } }`. Left out, it exists everywhere in the
 * same form.
 * @param name what it is, for the message: "an application".
 */
export const placesOf = <Own extends z.ZodType>(own: Own, name: string) =>
  z
    .strictObject({
      sandbox: own.optional(),
      production: own.optional(),
      /** The sandbox of the loan API. */
      loans: own.optional(),
    })
    .refine(
      (places) => Object.keys(places).length > 0,
      `${name} exists in one of sandbox, production and loans at least; leave \`environments\` out if it exists everywhere`,
    )
    .optional()

interface Placed {
  readonly environments?: { readonly [Where in Place]?: object | undefined } | undefined
}

/** The same with what differs in this place; undefined if it does not exist there. */
export const inPlace = <Part extends Placed>(part: Part, place: Place): Part | undefined => {
  const { environments } = part
  if (environments === undefined) return part
  const own = environments[place]
  if (own === undefined) return undefined
  return { ...part, ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) }
}
