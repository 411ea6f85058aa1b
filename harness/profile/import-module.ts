import { pathToFileURL } from 'node:url'
import { within } from './within.ts'

/** Vite translates TypeScript, which Node 20 does not read, as it does for the spec files that vitest runs. */
const openRunner = async () => {
  const { createRunnableDevEnvironment, resolveConfig } = await import('vite')
  const inline = { consumer: 'server', resolve: { external: true } } as const
  const config = await resolveConfig({ configFile: false, envDir: false, environments: { inline } }, 'serve')
  const environment = createRunnableDevEnvironment('inline', config, {
    hot: false,
    runnerOptions: { hmr: { logger: false } },
  })
  await environment.init()
  return environment.runner
}

let runner: ReturnType<typeof openRunner> | undefined

/** Loads an ES module in TypeScript or JavaScript. Each module is loaded once. @param file absolute. */
export const importTypeScript = async (file: string): Promise<unknown> => {
  const isRunByVitest = import.meta.url.endsWith('.ts')
  if (isRunByVitest) return import(/* @vite-ignore */ pathToFileURL(file).href)
  return (await (runner ??= openRunner())).import(file)
}

/** How to see the text of an error that a module threw: it is not shown, since it may contain a secret. */
export const adviceToSeeMore = (file: string): string =>
  /\.m?ts$/.test(file)
    ? 'to see its text, catch it in the file: `try { … } catch (error) { console.error(error); throw error }`'
    : `run \`node ${file}\` to see its text`

/** Such a module reads keys at most: longer is an await that never ends. */
const LOADING_MS = 30_000

/** Loads a module in TypeScript, or any module that Node reads. @param file absolute. @throws TooLate */
export const importModule = (file: string): Promise<unknown> =>
  within(
    LOADING_MS,
    /\.m?ts$/.test(file) ? importTypeScript(file) : import(/* @vite-ignore */ pathToFileURL(file).href),
  )
