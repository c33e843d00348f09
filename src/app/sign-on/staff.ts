// Single sign-on of staff. The provider's claims decide about the role at every sign-in; a person without one is refused,
// and their sessions end. A session lasts an hour, then the browser passes through the provider again.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { sessionOperator } from '#contract/operator/session.ts';
import { permissionsOf, type OperatorRole } from '#contract/roles.ts';
import type { OperatorSession } from '#contract/shapes/operator.ts';
import type { SignOnFlow, StaffSignOn } from '#contract/shapes/sign-on.ts';
import { requireFound, type ApiError } from '#lib/api-error.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { operatorSessionsEnd } from '#store/account/keys.ts';
import * as operators from '#store/operator/operators.ts';
import { hasIdentity, identityFind, identityInsert } from '#store/sign-on/sign-on.ts';
import type { Queries } from '#store/store.ts';
import { recordFailedSignIn } from '../account/failed-sign-ins.ts';
import type { App, Visitor } from '../app.ts';
import { endImpersonations } from '../operator/impersonation-endings.ts';
import { openOperatorSession } from '../operator/open-session.ts';
import { claimValues, emailOf, type ClaimedEmail } from './claims.ts';
import { beginFlow, completeFlow } from './flows.ts';
import { noEmailMessage, signOnFailed, type Claims } from './provider.ts';
import { findStaffSignOn, type StaffSignOnSettings } from './staff-settings.ts';

export async function signOnGet({ app }: Visitor): Promise<Static<typeof StaffSignOn>> {
  const settings = await findStaffSignOn(app, app.store.queries);
  return {
    available: settings === undefined ? '0' : '1',
    label: settings?.label ?? '',
    required: settings?.required === true ? '1' : '0',
  };
}

export async function signOnBegin(visitor: Visitor): Promise<Static<typeof SignOnFlow>> {
  const settings = await findStaffSignOn(visitor.app, visitor.app.store.queries);
  return beginFlow(visitor, requireFound(settings, 'Single sign-on for staff is not set up.'), '');
}

export async function signOnComplete(
  visitor: Visitor,
  input: InputOf<typeof sessionOperator.signOnComplete>,
): Promise<Static<typeof OperatorSession>> {
  const { app } = visitor;
  const { settings, claims } = await completeFlow(visitor, input, async (account) =>
    account === providerAccount ? findStaffSignOn(app, app.store.queries) : undefined,
  );
  const outcome = await app.store.transaction((queries) => admitOperator(app, queries, settings, claims));
  app.authentication.forget();
  if ('refusal' in outcome) {
    recordFailedSignIn(visitor, {
      account_id: providerAccount,
      contact_id: null,
      operation: 'operator.signOnComplete',
      operator: outcome.name,
    });
    throw outcome.refusal;
  }
  return openOperatorSession(visitor, outcome.operator, {
    operation: 'operator.signOnComplete',
    method: 'sign-on',
    spend: async () => {},
  });
}

type Outcome = { readonly operator: operators.Operator } | { readonly refusal: ApiError; readonly name: string };

/** Finds or creates the operator and sets their role. A refusal is returned, because the sessions that it ends must stay ended. */
async function admitOperator(
  app: App,
  queries: Queries,
  settings: StaffSignOnSettings,
  claims: Claims,
): Promise<Outcome> {
  const key = { account_id: providerAccount, issuer: settings.issuer, subject: claims.sub };
  const identity = await identityFind(queries, key);
  const known = identity && (await operators.operatorFind(queries, identity.operator_id!));
  const refuse = async (message: string, name = known?.name ?? ''): Promise<Outcome> => {
    if (known !== undefined) {
      await endImpersonations(app, queries, { operator_id: known.id }, 'Staff');
      await operatorSessionsEnd(queries, known.id, app.clock.now(), undefined);
    }
    return { refusal: signOnFailed(message), name };
  };
  // Their sessions stay: the identity provider decides nothing about them.
  if (known !== undefined && settings.breakGlass.has(known.name))
    return { refusal: signOnFailed('Sign in with your password and a code instead.'), name: known.name };
  const email = emailOf(claims);
  if (email === undefined) return refuse(noEmailMessage);
  if (settings.emailDomains?.has(email.domain) === false)
    return refuse('Your email address does not belong to a domain of the staff.');
  const values = claimValues(claims, settings.claim);
  const role = settings.roles.find(({ value }) => values.has(value))?.role;
  if (role === undefined) return refuse('You are not in a group that has access. Ask an owner.');
  const operator = known ?? (await createOrLink(app, queries, settings, email, role));
  if (operator === undefined)
    return refuse(`The name ${email.localPart} is already taken. Ask an owner.`, email.localPart);
  if (known === undefined)
    await identityInsert(queries, { ...key, operator_id: operator.id, contact_id: null, created_at: app.clock.now() });
  return setRole(app, queries, operator, role, refuse);
}

async function setRole(
  app: App,
  queries: Queries,
  operator: operators.Operator,
  role: OperatorRole,
  refuse: (message: string) => Promise<Outcome>,
): Promise<Outcome> {
  if (operator.status !== 'Active') return refuse('Your access was removed. Ask an owner.');
  const isLastOwner = operator.role === 'owner' && role !== 'owner' && (await operators.ownersHold(queries)) === 1;
  if (isLastOwner)
    return refuse(
      'You are the last owner but no longer in the owners’ group. Someone else must become an owner first.',
    );
  if (operator.role !== role) {
    await operators.operatorUpdate(queries, operator.id, { role });
    if (!permissionsOf(role).has('operator:impersonate'))
      await endImpersonations(app, queries, { operator_id: operator.id }, 'Staff');
  }
  return { operator: { ...operator, role } };
}

/**
 * Returns the operator with the name in front of the @: a new one, or an existing one if the provider vouches for the
 * address and its domain is one of staff. Break-glass operators sign in with a password only.
 */
async function createOrLink(
  app: App,
  queries: Queries,
  { issuer, emailDomains, breakGlass }: StaffSignOnSettings,
  { localPart, isVerified }: ClaimedEmail,
  role: OperatorRole,
): Promise<operators.Operator | undefined> {
  if (!/^[a-z][a-z0-9._-]{0,63}$/.test(localPart) || breakGlass.has(localPart)) return undefined;
  const created_at = app.clock.now();
  const added = { name: localPart, role, status: 'Active', password_hash: null, totp_step: 0, created_at } as const;
  const id = await operators.operatorInsert(queries, added);
  if (id !== undefined) return operators.operatorFind(queries, id);
  const operator = (await operators.operatorFindByName(queries, localPart))!;
  const holder = { account_id: providerAccount, issuer, operator_id: operator.id, contact_id: null };
  const canLink = isVerified && emailDomains !== undefined && !(await hasIdentity(queries, holder));
  return canLink ? operator : undefined;
}
