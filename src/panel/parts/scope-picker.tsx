// Picks the permissions of a key or person, grouped by subject. Permissions that you do not have yourself cannot be
// picked.
import { Button, Card, Checkbox, Group, Input, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { scopeGroups, scopeNames, scopes, type Scope } from '#contract/scopes.ts';
import { useScopeDenial } from '../data/identity.ts';
import { t, tData } from '../text/text.ts';

const titles: Readonly<Record<string, string>> = {
  account: t('Account'),
  audit: t('Audit log'),
  billing: t('Billing'),
  device: t('Servers'),
  dns: 'DNS',
  event: t('Events'),
  network: t('Network'),
  plan: t('Approvals'),
  software: t('Software'),
  webhook: t('Webhooks'),
};
const subjects = [...new Set(scopeNames.map(subjectOf))];

function subjectOf(scope: Scope): string {
  return scope.split(':')[0]!;
}

export interface ScopePickerProps {
  readonly value: readonly Scope[];
  readonly onChange: (value: Scope[]) => void;
  readonly error?: string | undefined;
}

export function ScopePicker({ value, onChange, error }: ScopePickerProps): JSX.Element {
  const denial = useScopeDenial();
  const canGrant = (scope: Scope): boolean => denial(scope) === undefined;
  const pick = (names: readonly Scope[]): void => onChange(names.filter(canGrant));
  const set = (scope: Scope, isSelected: boolean): void =>
    onChange(scopeNames.filter((name) => (name === scope ? isSelected : value.includes(name))));
  return (
    <Input.Wrapper label={t('Permissions')} error={error} labelElement="div">
      <Group gap="xs" my={6} justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {t('{count} of {total} selected', { count: value.length, total: scopeNames.length })}
        </Text>
        <Button.Group>
          <Button variant="default" size="compact-sm" onClick={() => pick(scopeNames)}>
            {t('All')}
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => pick(scopeGroups['read-only'])}>
            {t('Read-only')}
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => pick([])}>
            {t('None')}
          </Button>
        </Button.Group>
      </Group>
      <div className="columns">
        {subjects.map((subject) => (
          <Card key={subject} padding="sm" role="group" aria-label={titles[subject] ?? subject}>
            <Text fw={600} size="sm" mb={6}>
              {titles[subject] ?? subject}
            </Text>
            <Stack gap={8}>
              {scopeNames
                .filter((scope) => subjectOf(scope) === subject)
                .map((scope) => (
                  <Checkbox
                    key={scope}
                    size="sm"
                    label={tData(scopes[scope])}
                    description={denial(scope) ?? scope}
                    checked={value.includes(scope)}
                    disabled={!canGrant(scope) && !value.includes(scope)}
                    onChange={(event) => set(scope, event.currentTarget.checked)}
                  />
                ))}
            </Stack>
          </Card>
        ))}
      </div>
    </Input.Wrapper>
  );
}
