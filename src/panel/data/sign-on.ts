// Single sign-on in the browser. The flow's secret stays in this tab while the identity provider has the page, so that a
// response that another site sends here completes nothing.
import type { Static } from 'typebox';
import type { SignOnFlow } from '#contract/shapes/sign-on.ts';
import { acceptSession, customerApi, staffApi, type Portal } from './session.ts';
import { t } from '../text/text.ts';

const flowItem = (portal: Portal): string => `hostyard.sign-on.${portal}`;

/** Opens the page of the identity provider; `from` is the page to return to. */
export async function beginSignOn(
  portal: Portal,
  from: unknown,
  begin: () => Promise<Static<typeof SignOnFlow>>,
): Promise<void> {
  const { url, flow } = await begin();
  sessionStorage.setItem(flowItem(portal), JSON.stringify({ flow, from }));
  location.assign(url);
}

/** Signs in with the response in the address of this page. Returns the page to return to, which is not checked yet. */
export async function completeSignOn(portal: Portal): Promise<unknown> {
  const item = sessionStorage.getItem(flowItem(portal));
  sessionStorage.removeItem(flowItem(portal));
  if (item === null) throw new Error(t('This sign-in was not started in this tab. Start again.'));
  const { flow, from } = JSON.parse(item) as { flow: string; from?: unknown };
  const input = { flow, response: location.href, cookie: true };
  const api = portal === 'staff' ? staffApi() : customerApi();
  await acceptSession(portal, await api.signOnComplete(input));
  return from;
}
