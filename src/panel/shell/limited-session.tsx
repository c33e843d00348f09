// The page frame of a session that can do less than others: a banner over every page while staff view the account, or a
// form instead of every page until a customer has replaced a password that staff chose, or staff have set up their
// second factor.
import { Alert, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, type JSX, type ReactNode } from 'react';
import { useRead, useStaffRead } from '../data/operations.ts';
import { queryClient } from '../data/query-client.ts';
import { customerApi, forgetSession, type Portal } from '../data/session.ts';
import { hideSignInPrompt, useIsSignInPromptOpen } from '../data/sign-in-prompt.ts';
import { LoadingPage } from '../parts/query-result.tsx';
import { Timestamp, parseTimestamp } from '../parts/timestamp.tsx';
import { Icon } from './icons.tsx';
import { rich } from '../text/rich.ts';
import { t } from '../text/text.ts';

// Most sessions load neither.
const NewPassword = lazy(async () => ({ default: (await import('./new-password.tsx')).NewPassword }));
const StaffSecurityPage = lazy(async () => ({ default: (await import('../staff/security.tsx')).StaffSecurityPage }));

export interface LimitedSessionProps {
  readonly portal: Portal;
  readonly children: ReactNode;
}

export function LimitedSession({ portal, children }: LimitedSessionProps): ReactNode {
  const { data } = useRead('sessionGet', {}, { enabled: portal === 'customer' });
  const staff = useStaffRead('sessionGet', {}, { enabled: portal === 'staff' });
  // Staff have no permissions until they have set up a second factor.
  if (portal === 'staff' && staff.data?.powers.length === 0)
    return (
      <Suspense fallback={<LoadingPage />}>
        <StaffSecurityPage />
      </Suspense>
    );
  if (portal === 'staff' || data === undefined) return children;
  if (data.passwordchange === '1')
    return (
      <Suspense fallback={<LoadingPage />}>
        <NewPassword email={data.email} />
      </Suspense>
    );
  if (data.operator === '') return children;
  return (
    <>
      <SupportBanner name={data.company || data.name} account={data.account} expires={data.expires} />
      {children}
    </>
  );
}

interface SupportBannerProps {
  readonly name: string;
  readonly account: string;
  readonly expires: string;
}

function SupportBanner({ name, account, expires }: SupportBannerProps): JSX.Element {
  const navigate = useNavigate();
  const leave = useCallback(async () => {
    await navigate({ to: '/staff/customers/$account', params: { account } });
    forgetSession('customer');
    // A response that came before the page was gone may have opened it.
    hideSignInPrompt('customer');
    queryClient.removeQueries({ queryKey: ['customer'] });
  }, [navigate, account]);
  const end = async (): Promise<void> => {
    // It may have ended already.
    await customerApi()
      .sessionDelete()
      .catch(() => undefined);
    await leave();
  };
  const isExpired = useIsSignInPromptOpen('customer');
  useEffect(() => {
    if (!isExpired) return;
    hideSignInPrompt('customer');
    notifications.show({ message: t('You no longer act as {name}', { name }), color: 'blue' });
    void leave();
  }, [isExpired, leave, name]);
  useEffect(() => {
    const remainingMs = (parseTimestamp(expires)?.getTime() ?? 0) - Date.now();
    const timer = setTimeout(() => void leave(), Math.max(remainingMs, 0));
    return () => clearTimeout(timer);
  }, [expires, leave]);
  return (
    <Alert
      color="orange"
      variant="filled"
      p="xs"
      mb="md"
      role="status"
      c="black"
      icon={<Icon name="person" />}
      styles={{ icon: { color: 'inherit' } }}
      style={{ position: 'sticky', top: 'calc(var(--app-shell-header-height) + 8px)', zIndex: 50 }}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} c="black">
          {rich('You are acting as {name} – ends {time}', { name, time: <Timestamp at={expires} isRelative /> })}
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => void end()}>
          {t('End')}
        </Button>
      </Group>
    </Alert>
  );
}
