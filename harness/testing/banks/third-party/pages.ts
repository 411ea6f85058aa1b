import { html } from 'hono/html'

/** The pages of the third-party servers: a login, then the question whether to share the accounts. */

export const frame = (title: string, content: unknown): ReturnType<typeof html> =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <title>${title}</title>
      </head>
      <body>
        <h1>${title}</h1>
        ${content}
      </body>
    </html>`

export const login = (problem?: string): ReturnType<typeof html> =>
  frame(
    'Who are you?',
    html`${problem === undefined ? '' : html`<p role="alert">${problem}</p>`}
      <form method="post" id="login">
        <label>Name <input name="user" autocomplete="username" /></label>
        <label>Password <input name="pin" type="password" autocomplete="current-password" /></label>
        <button>Go on</button>
      </form>`,
  )

export const question = (scope: string): ReturnType<typeof html> =>
  frame(
    'Do you share your accounts?',
    html`<p>${scope}</p>
      <form method="post" id="question">
        <button name="answer" value="yes">Yes</button>
        <button name="answer" value="no">No</button>
      </form>`,
  )
