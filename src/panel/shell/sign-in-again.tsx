// A session that has ended asks for its person over the page, which keeps what was typed into it.
import { Modal, Text } from '@mantine/core';
import type { JSX } from 'react';
import { signedInAgain, useIsAskedToSignIn } from '../data/expiry.ts';
import { queries } from '../data/queries.ts';
import { signOut, type Face } from '../data/session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Also above a form in which somebody was typing. */
const aboveAll = 1000;

export function SignInAgain({ face }: { face: Face }): JSX.Element {
  const isAsked = useIsAskedToSignIn();
  const leave = (): void => {
    signedInAgain();
    signOut();
  };
  return (
    <Modal
      opened={isAsked}
      onClose={leave}
      title="Your session has ended"
      centered
      closeOnClickOutside={false}
      zIndex={aboveAll}
    >
      <Text size="sm" mb="md">
        Sign in again to go on where you were. What you typed is still there.
      </Text>
      <SignInForm
        face={face}
        onDone={() => {
          signedInAgain();
          void queries.invalidateQueries();
        }}
      />
    </Modal>
  );
}
