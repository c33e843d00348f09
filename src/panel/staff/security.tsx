// A staff member's own sign-in and permissions, and the other staff members.
import { Card, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { JSX } from 'react';
import { isPermission, permissions } from '#contract/roles.ts';
import { useStaffRead } from '../data/operations.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { t, tData } from '../text/text.ts';
import { OwnEmail } from './security/own-email.tsx';
import { OwnPasskeys } from './security/own-passkeys.tsx';
import { OwnPassword, SecondFactor } from './security/own-sign-in.tsx';
import { StaffMembers } from './security/staff-members.tsx';

export function StaffSecurityPage(): JSX.Element {
  const self = useStaffRead('sessionGet', {});
  return (
    <Page title={t('Sign-in and security')} description={t('Your sign-in methods and other staff members')}>
      <QueryResult query={self}>
        {({ name, role, powers: granted, kind, totp, email }) => (
          <>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
              <Stack>
                <Card component="section" aria-labelledby="you">
                  <Title order={2} size="h4" id="you" mb="xs">
                    {name}
                  </Title>
                  <Dimmed mb="xs">
                    {kind === 'key' ? t('{role}, signed in with an API key', { role: tData(role) }) : tData(role)}
                  </Dimmed>
                  <List size="sm" spacing={4}>
                    {granted.filter(isPermission).map((permission) => (
                      <List.Item key={permission}>{tData(permissions[permission])}</List.Item>
                    ))}
                  </List>
                </Card>
                {kind === 'session' && <OwnPassword />}
              </Stack>
              {kind === 'session' ? (
                <Stack>
                  <SecondFactor isConfirmed={totp === 'Confirmed'} isRequired={granted.length === 0} />
                  <OwnPasskeys />
                  <OwnEmail email={email} />
                </Stack>
              ) : (
                <Card>
                  <Text size="sm">
                    {t('API keys are managed in the site file and have no password or second factor.')}
                  </Text>
                </Card>
              )}
            </SimpleGrid>
            {granted.includes('operator:read') && <StaffMembers />}
          </>
        )}
      </QueryResult>
    </Page>
  );
}
