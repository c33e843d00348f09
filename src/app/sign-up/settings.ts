// Whether people can create accounts themselves, as the site file says.
import type { Static } from 'typebox';
import type { SignUpSettings as Shape } from '#contract/shapes/sign-up.ts';
import type { Site } from '#contract/site/site.ts';
import type { SiteSignUp } from '#contract/site/sign-up.ts';
import { ApiError } from '#lib/api-error.ts';
import type { Queries } from '#store/store.ts';
import type { App, Visitor } from '../app.ts';
import { loadSiteSettings } from '../site/settings.ts';
import type { SiteProblem } from '../site/site-problem.ts';

export interface SignUpSettings {
  readonly mode: Exclude<SiteSignUp['mode'], 'off'>;
  readonly terms: NonNullable<SiteSignUp['terms']>;
  readonly notify: string | undefined;
  readonly difficulty: number;
  readonly provider: Site['provider'];
}

const defaultDifficulty = 18;

async function findSignUp(app: Pick<App, 'secrets'>, queries: Queries): Promise<SignUpSettings | undefined> {
  const site = await loadSiteSettings(app, queries);
  const { mode = 'off', terms, notify, difficulty = defaultDifficulty } = site?.signUp ?? {};
  if (site === undefined || mode === 'off' || terms === undefined) return undefined;
  return { mode, terms, notify, difficulty, provider: site.provider };
}

export async function requireSignUp(app: Pick<App, 'secrets'>, queries: Queries): Promise<SignUpSettings> {
  const settings = await findSignUp(app, queries);
  if (settings === undefined)
    throw new ApiError('not_found', { message: 'Sign-up is not available. Please contact the provider.' });
  return settings;
}

export async function signUpGet({ app }: Visitor): Promise<Static<typeof Shape>> {
  const settings = await findSignUp(app, app.store.queries);
  return {
    mode: settings?.mode ?? 'off',
    provider: settings?.provider.name ?? '',
    termsversion: settings?.terms.version ?? '',
    termsurl: settings?.terms.url ?? '',
  };
}

export function* checkSignUp({ signUp, mail }: Site): Iterable<SiteProblem> {
  if (signUp === undefined || signUp.mode === 'off') return;
  if (signUp.terms === undefined) yield [['signUp'], 'needs terms, which people accept when they sign up'];
  if (mail?.url === undefined) yield [['signUp'], 'needs mail with url, because links are sent by email'];
}
