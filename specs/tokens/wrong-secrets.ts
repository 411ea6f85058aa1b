/** The secret in letters of the other case; longer where it has no letters. */
const recased = (secret: string): string => {
  const other = secret === secret.toUpperCase() ? secret.toLowerCase() : secret.toUpperCase()
  return other === secret ? `${secret}A` : other
}

/** How a secret is wrong. A property prints its values, hence these words in the place of what they make. */
export const WRONG_SECRETS = {
  empty: () => '',
  cut: (secret: string) => secret.slice(0, -1),
  recased,
} as const
