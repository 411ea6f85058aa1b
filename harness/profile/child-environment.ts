/** The variables that a program needs which the suite starts; others may be secrets of the profile (`env:NAME`). */
const VARIABLES = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
]

export const childEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
