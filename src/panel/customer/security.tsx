// The user's own password, authenticator app, recovery codes, passkeys and sessions. They belong to a person, so an API
// key cannot change them.
import { Alert, Anchor, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { forgetSession } from '../data/session.ts';
import { useRead } from '../data/operations.ts';
import { QueryResult } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { Page } from '../parts/page.tsx';
import { Icon } from '../shell/icons.tsx';
import { rich } from '../text/rich.ts';
import { t } from '../text/text.ts';
import { AuthenticatorAppCard } from './security/authenticator-app-card.tsx';
import { PasskeysCard } from './security/passkeys.tsx';
import { PasswordCard } from './security/password-card.tsx';
import { RecoveryCodesCard } from './security/recovery-codes.tsx';
import { SessionsCard } from './security/sessions.tsx';
import { SignOnCard } from './security/sign-on.tsx';
import { SupportAccessCard } from './security/support-access.tsx';

const supportReason = t('You are viewing this account as support.');
const keyReason = t('You are signed in with an API key. Sign in with your email to change this.');

export function SecurityPage(): JSX.Element {
  const self = useRead('sessionGet', {});
  return (
    <Page title={t('Sign-in and security')} description={t('How you sign in to this account')}>
      <QueryResult query={self}>
        {(session) => {
          const isSupport = session.operator !== '';
          const reason = isSupport ? supportReason : session.kind === 'key' ? keyReason : undefined;
          return (
            <Stack>
              {session.kind === 'session' ? (
                <Alert variant="default" icon={<Icon name="person" />} title={session.name}>
                  {isSupport
                    ? t('{operator} is viewing as {email}.', { operator: session.operator, email: session.email })
                    : t('Signed in as {email}.', { email: session.email })}{' '}
                  {rich('This session expires {time}.', { time: <Timestamp at={session.expires} isRelative /> })}
                </Alert>
              ) : (
                <Alert variant="default" icon={<Icon name="key" />} title={t('Signed in with an API key')}>
                  {rich(
                    'An API key has no password. To change how you sign in, <link>sign in with your email</link>.',
                    {
                      link: (text) => (
                        <Anchor component="button" size="sm" onClick={() => forgetSession('customer')}>
                          {text}
                        </Anchor>
                      ),
                    },
                  )}
                </Alert>
              )}
              <div className="wide columns">
                <PasswordCard email={session.email} reason={reason} />
                <AuthenticatorAppCard state={session.totp} reason={reason} />
                <PasskeysCard reason={reason} />
                <RecoveryCodesCard
                  left={Number(session.recoverycodes)}
                  hasApp={session.totp === 'Confirmed'}
                  reason={reason}
                />
                {session.contact === '' && <SignOnCard reason={reason} />}
                {session.scopes.includes('audit:read') && <SupportAccessCard />}
              </div>
              <SessionsCard reason={reason} />
            </Stack>
          );
        }}
      </QueryResult>
    </Page>
  );
}
