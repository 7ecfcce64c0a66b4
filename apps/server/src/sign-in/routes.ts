import type { ErrorCode } from '@roster/api';
import type { FastifyInstance } from 'fastify';
import type { IdentityProviderConfig } from '../config/sign-in-settings.ts';
import type { RequestBodies } from '../http/limits/request-bodies.ts';
import { requirePlainBody } from '../http/media-types.ts';
import { ownOriginOf, passkeyOriginOf } from '../http/own-origin.ts';
import { sendError, toResponseError } from '../http/problem-details.ts';
import { recordError } from '../observability/request-context.ts';
import { prefersHtml } from '../pages/entry-page.ts';
import type { SignInContext } from './context.ts';
import { registerEmailRoutes } from './email-routes.ts';
import { IdentityProvider } from './identity-provider.ts';
import { registerLinkRoutes } from './link-routes.ts';
import type { Mailer } from './mail.ts';
import { PAGE_POLICY, sendErrorPage } from './pages.ts';
import { registerInvitationRoutes } from './passkeys/invitation-routes.ts';
import { registerPasskeyRoutes } from './passkeys/routes.ts';
import { registerProviderRoutes } from './provider-routes.ts';
import { registerSignOutRoutes } from './sign-out-routes.ts';
import { registerTerminalRoutes } from './terminal-routes.ts';

export interface SignInOptions extends Omit<SignInContext, 'provider' | 'sendSignInLink'> {
  identityProvider: IdentityProviderConfig | undefined;
  bodies: RequestBodies;
  mailer: Mailer | undefined;
  isConsoleServed: boolean;
}

/** Their causes tell operators what is wrong between the service and the identity provider. */
const isOfSignIn: ReadonlySet<ErrorCode> = new Set(['sign_in_failed', 'invalid_logout_token', 'unavailable']);

/** Responses are never stored. Browsers get errors as a page, other clients as a problem. */
export function registerSignIn(app: FastifyInstance, options: SignInOptions): void {
  const { identityProvider, bodies, mailer, isConsoleServed, ...shared } = options;
  const provider = identityProvider && new IdentityProvider(identityProvider);
  const hasProvider = provider !== undefined;
  // An identity provider alone decides who is let in, and the console has the page of the link.
  const sendSignInLink = hasProvider || !isConsoleServed ? undefined : mailer?.sendSignInLink;
  const context: SignInContext = { ...shared, provider, sendSignInLink };
  app.register(async (scope) => {
    scope.addHook('onRequest', requirePlainBody);
    scope.addHook('onSend', (_, reply, payload, done) => {
      reply.header('Cache-Control', 'no-store');
      if (String(reply.getHeader('Content-Type')).startsWith('text/html'))
        reply.header('Content-Security-Policy', PAGE_POLICY);
      done(null, payload);
    });
    scope.setErrorHandler((thrown, request, reply) => {
      const error = toResponseError(thrown);
      if (isOfSignIn.has(error.errorCode) && error.cause !== undefined)
        request.log.warn({ reqId: request.id, err: error.cause }, 'a sign-in failed');
      const isNavigation = request.method === 'GET' && prefersHtml(request.headers.accept);
      if (!isNavigation || error.status === 500) return sendError(request, reply, error);
      recordError(request, error);
      return sendErrorPage(reply, error, { requestId: request.id, hasProvider });
    });
    scope.get('/sign-in/methods', async ({ headers }) => ({
      key: true,
      provider: hasProvider,
      url: options.publicUrl ?? null,
      passkeyOrigin: hasProvider ? null : (passkeyOriginOf(ownOriginOf(headers, options.publicUrl)) ?? null),
      mail: mailer !== undefined,
      email: sendSignInLink !== undefined,
    }));
    registerProviderRoutes(scope, context);
    registerTerminalRoutes(scope, context);
    registerLinkRoutes(scope, context);
    registerPasskeyRoutes(scope, context);
    registerEmailRoutes(scope, context);
    registerInvitationRoutes(scope, context);
    registerSignOutRoutes(scope, context, bodies);
  });
}
