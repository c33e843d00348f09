// One's own sign-in: password, codes of an app, passkeys. They belong to a person; whoever came with an API key sees why he
// cannot change them.
import { Alert, Anchor, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { signOut } from '../data/session.ts';
import { useRead } from '../data/read.ts';
import { Answer } from '../parts/answer.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Icon } from '../shell/icons.tsx';
import { Codes } from './security/codes.tsx';
import { Passkeys } from './security/passkeys.tsx';
import { PasswordCard } from './security/password-card.tsx';

const keyReason = 'You are signed in with an API key. Sign in with your email to change this.';

export function SecurityPage(): JSX.Element {
  const self = useRead('sessionGet', {});
  return (
    <Page title="Sign-in and security" about="How you sign in to this account.">
      <Answer of={self}>
        {(who) => {
          const reason = who.kind === 'key' ? keyReason : undefined;
          return (
            <Stack maw={760}>
              {reason === undefined ? (
                <Alert variant="default" icon={<Icon name="person" />} title={who.name}>
                  Signed in as {who.email}. This session ends <Moment at={who.expires} ago />.
                </Alert>
              ) : (
                <Alert variant="default" icon={<Icon name="key" />} title="Signed in with an API key">
                  A key has no password. To change how you sign in,{' '}
                  <Anchor component="button" size="sm" onClick={signOut}>
                    sign in with your email
                  </Anchor>
                  .
                </Alert>
              )}
              <PasswordCard email={who.email} reason={reason} />
              <Codes state={who.totp} reason={reason} />
              <Passkeys reason={reason} />
            </Stack>
          );
        }}
      </Answer>
    </Page>
  );
}
