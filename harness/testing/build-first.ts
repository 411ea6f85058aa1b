/** Many tests start programs of the project, which are run from `dist`. */
export default async (): Promise<void> => {
  await import('../build.mjs')
}
