import { Hono } from 'hono'
import { html } from 'hono/html'
import { ACCOUNTS } from './oidc-provider-configuration.ts'
import { frame, login, question } from './pages.ts'
import { customers } from './seed-data.ts'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Interaction, InteractionResult, Provider } from 'oidc-provider'

/** The interactions of oidc-provider with the customer. */

type Env = { readonly Bindings: HttpBindings }
type Answer = Response | Promise<Response>

const missingScope = ({ prompt }: Interaction): string =>
  prompt.details.missingResourceScopes?.[ACCOUNTS]?.join(' ') ?? ''

export const createPages = (provider: Provider): Hono<Env> => {
  const interactionOf = ({ env }: Context<Env>): Promise<Interaction> =>
    provider.interactionDetails(env.incoming, env.outgoing)

  const finishInteraction = async (context: Context<Env>, result: InteractionResult): Promise<Response> => {
    const { incoming, outgoing } = context.env
    const next = await provider.interactionResult(incoming, outgoing, result, {
      mergeWithLastSubmission: false,
    })
    return context.redirect(next, 303)
  }

  const identify = (context: Context<Env>, user: string, pin: string): Answer => {
    const customer = customers.find(({ username, password }) => username === user && password === pin)
    if (customer === undefined) return context.html(login('The name or the password is wrong.'))
    return finishInteraction(context, { login: { accountId: customer.username } })
  }

  const decide = async (context: Context<Env>, interaction: Interaction, yes: boolean): Promise<Response> => {
    if (!yes)
      return finishInteraction(context, { error: 'access_denied', error_description: 'the customer refused' })
    const { params, session } = interaction
    const grant = new provider.Grant({ accountId: session?.accountId, clientId: params.client_id })
    grant.addResourceScope(ACCOUNTS, missingScope(interaction))
    return finishInteraction(context, { consent: { grantId: await grant.save() } })
  }

  const pages = new Hono<Env>()
  pages.get('/:uid', async (context) => {
    const interaction = await interactionOf(context)
    const page = interaction.prompt.name === 'login' ? login() : question(missingScope(interaction))
    return context.html(page)
  })
  pages.post('/:uid', async (context) => {
    const interaction = await interactionOf(context)
    const form = new URLSearchParams(await context.req.text())
    return interaction.prompt.name === 'login'
      ? identify(context, form.get('user') ?? '', form.get('pin') ?? '')
      : decide(context, interaction, form.get('answer') === 'yes')
  })
  pages.onError((error, context) =>
    context.html(frame('This request is not valid', html`<p>${error.message}</p>`), 400),
  )
  return pages
}
