// Single sign-on of staff, as the site file configures it.
import type { SiteSignOn } from '#contract/site/sign-on.ts';
import type { Site } from '#contract/site/site.ts';
import { providerAccount } from '#store/account/accounts.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import { loadSiteSettings } from '../site/settings.ts';
import type { SiteProblem } from '../site/site-problem.ts';
import { isAcceptableUrl, type ProviderSettings } from './provider.ts';

export interface StaffSignOnSettings extends ProviderSettings {
  readonly label: string;
  readonly claim: string;
  readonly roles: SiteSignOn['roles'];
  /** In lower case; undefined if all are allowed. */
  readonly emailDomains: ReadonlySet<string> | undefined;
  readonly required: boolean;
  /** In lower case. */
  readonly breakGlass: ReadonlySet<string>;
}

export const defaultScopes = ['openid', 'profile', 'email'];
export const defaultClaim = 'groups';

/** Returns undefined if staff have no single sign-on. */
export async function findStaffSignOn(
  app: Pick<App, 'secrets'>,
  queries: Queries,
): Promise<StaffSignOnSettings | undefined> {
  const signOn = (await loadSiteSettings(app, queries))?.signOn;
  if (signOn === undefined) return undefined;
  const { label = 'Single sign-on', scopes = defaultScopes, claim = defaultClaim, required = false } = signOn;
  return {
    ...signOn,
    account: providerAccount,
    label,
    scopes,
    claim,
    required,
    emailDomains: signOn.emailDomains && new Set(signOn.emailDomains.map((domain) => domain.toLowerCase())),
    breakGlass: new Set((signOn.breakGlass ?? []).map((name) => name.toLowerCase())),
  };
}

export function* checkSignOn({ signOn }: Site): Iterable<SiteProblem> {
  if (signOn === undefined) return;
  if (!isAcceptableUrl(signOn.issuer))
    yield [['signOn', 'issuer'], 'must be a URL that starts with https://, unless it is on this machine'];
  if (signOn.required === true && (signOn.breakGlass ?? []).length === 0)
    yield [['signOn', 'required'], 'needs breakGlass, so that someone can sign in while the provider is down'];
}
