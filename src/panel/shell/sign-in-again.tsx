// Asks the user to sign in again when the session has expired, on top of the page so that nothing typed is lost.
import { Modal, Text } from '@mantine/core';
import { useEffect, useRef, type JSX } from 'react';
import { hideSignInPrompt, useIsSignInPromptOpen } from '../data/sign-in-prompt.ts';
import { queryClient } from '../data/query-client.ts';
import { forgetSession, useSession, type Portal } from '../data/session.ts';
import { SignInForm } from './sign-in-form.tsx';
import { t } from '../text/text.ts';

/** Above other dialogs. */
const topZIndex = 1000;

function resume(portal: Portal): void {
  hideSignInPrompt(portal);
  void queryClient.invalidateQueries();
}

export function SignInAgain({ portal }: { portal: Portal }): JSX.Element {
  const isOpen = useIsSignInPromptOpen(portal);
  const session = useSession(portal);
  const expired = useRef(session);
  useEffect(() => {
    // Another tab may have signed in.
    if (isOpen && session !== expired.current) resume(portal);
    expired.current = session;
  }, [isOpen, session, portal]);
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
      <SignInForm portal={portal} onDone={() => resume(portal)} />
    </Modal>
  );
}
