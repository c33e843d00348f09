// Asks the user to sign in again when the session has expired, on top of the page so that nothing typed is lost. Another
// person does not get the page and its data: the panel then starts over.
import { Modal, Text } from '@mantine/core';
import { useEffect, useRef, type JSX } from 'react';
import type { Result, StaffResult } from '../data/operations.ts';
import { hideSignInPrompt, showSignInPrompt, useIsSignInPromptOpen } from '../data/sign-in-prompt.ts';
import { queryClient } from '../data/query-client.ts';
import { customerApi, forgetSession, staffApi, useSession, type Portal } from '../data/session.ts';
import { pathAfterSignIn } from './return-path.ts';
import { SignInForm } from './sign-in-form.tsx';
import { t } from '../text/text.ts';

/** Above other dialogs. */
const topZIndex = 1000;

type Self = Result<'sessionGet'> | StaffResult<'sessionGet'>;

function personOf(self: Self): string {
  return 'account' in self ? [self.account, self.contact, self.operator].join() : self.name;
}

/** Continues on the page with the new session, which belongs to `owner`. The prompt covers the page until it is known whose. */
async function resume(portal: Portal, owner: Portal): Promise<void> {
  const earlier = queryClient.getQueryData<Self>([portal, 'sessionGet', {}]);
  const self = await (owner === 'customer' ? customerApi() : staffApi()).sessionGet();
  if (owner !== portal || (earlier !== undefined && personOf(earlier) !== personOf(self)))
    return location.replace(`/panel${pathAfterSignIn(owner, undefined)}`);
  hideSignInPrompt(portal);
  void queryClient.invalidateQueries();
}

export function SignInAgain({ portal }: { portal: Portal }): JSX.Element {
  const isOpen = useIsSignInPromptOpen(portal);
  const session = useSession(portal);
  const expired = useRef(session);
  useEffect(() => {
    // Another tab may have signed in.
    if (session !== null && session !== expired.current) resume(portal, portal).catch(() => showSignInPrompt(portal));
    expired.current = session;
  }, [session, portal]);
  const cancel = (): void => {
    hideSignInPrompt(portal);
    forgetSession(portal);
  };
  return (
    <Modal
      opened={isOpen}
      onClose={cancel}
      title={t('Your session has expired')}
      centered
      closeOnClickOutside={false}
      zIndex={topZIndex}
    >
      <Text size="sm" mb="md">
        {t('Sign in again to continue. Your input on this page is kept.')}
      </Text>
      <SignInForm portal={portal} onDone={(owner) => resume(portal, owner)} />
    </Modal>
  );
}
