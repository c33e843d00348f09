// A staff member's own sign-in and permissions, and the other staff members.
import { Card, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { JSX } from 'react';
import { isPermission, permissions } from '#contract/roles.ts';
import { useStaffRead } from '../data/operations.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { OwnPassword, SecondFactor } from './security/own-sign-in.tsx';
import { StaffMembers } from './security/staff-members.tsx';

export function StaffSecurityPage(): JSX.Element {
  const self = useStaffRead('sessionGet', {});
  return (
    <Page title="Sign-in and security" description="Your sign-in methods and other staff members">
      <QueryResult query={self}>
        {({ name, role, powers: granted, kind }) => (
          <>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <Stack>
                <Card component="section" aria-labelledby="you">
                  <Title order={2} size="h4" id="you" mb="xs">
                    {name}
                  </Title>
                  <Dimmed mb="xs">{kind === 'key' ? `${role}, signed in with an API key` : role}</Dimmed>
                  <List size="sm" spacing={4}>
                    {granted.filter(isPermission).map((permission) => (
                      <List.Item key={permission}>{permissions[permission]}</List.Item>
                    ))}
                  </List>
                </Card>
                {kind === 'session' && <OwnPassword />}
              </Stack>
              <div>
                {kind === 'session' ? (
                  <SecondFactor isMissing={granted.length === 0} />
                ) : (
                  <Card>
                    <Text size="sm">API keys are managed in the site file and have no password or second factor.</Text>
                  </Card>
                )}
              </div>
            </SimpleGrid>
            {granted.includes('operator:read') && <StaffMembers />}
          </>
        )}
      </QueryResult>
    </Page>
  );
}
