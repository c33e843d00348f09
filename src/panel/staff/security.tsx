// Signing in as one of the staff: who one is and what one may, password, second factor, and the colleagues.
import { Card, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { JSX } from 'react';
import { isPower, powers } from '#contract/roles.ts';
import { useStaffRead } from '../data/read.ts';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { OwnPassword, SecondFactor } from './security/own-sign-in.tsx';
import { People } from './security/people.tsx';

export function StaffSecurityPage(): JSX.Element {
  const self = useStaffRead('sessionGet', {});
  return (
    <Page title="Sign-in and security" about="How you sign in, and who else does.">
      <Answer of={self}>
        {({ name, role, powers: mine, kind }) => (
          <>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <Stack>
                <Card component="section" aria-labelledby="you">
                  <Title order={2} size="h4" id="you" mb="xs">
                    {name}
                  </Title>
                  <Text size="sm" c="dimmed" mb="xs">
                    {role}, signed in with {kind === 'key' ? 'a key of the site file' : 'name and password'}
                  </Text>
                  <List size="sm" spacing={4}>
                    {mine.filter(isPower).map((power) => (
                      <List.Item key={power}>{powers[power]}</List.Item>
                    ))}
                  </List>
                </Card>
                {kind === 'session' && <OwnPassword />}
              </Stack>
              <div>
                {' '}
                {kind === 'session' ? (
                  <SecondFactor isMissing={mine.length === 0} />
                ) : (
                  <Card>
                    <Text size="sm">
                      A key has no password and no second factor: it is changed in the site file. Whoever signs in by
                      name has both.
                    </Text>
                  </Card>
                )}
              </div>
            </SimpleGrid>
            {mine.includes('operator:read') && <People />}
          </>
        )}
      </Answer>
    </Page>
  );
}
