// What a key or a person may do, picked by what it is about, each with its explanation. What one cannot give away oneself can be
// seen and not picked.
import { Button, Card, Checkbox, Group, Input, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { scopeGroups, scopeNames, scopes, type Scope } from '#contract/scopes.ts';
import { useRefusal } from '../data/who.ts';

const titles: Readonly<Record<string, string>> = {
  account: 'Account',
  audit: 'Audit log',
  billing: 'Billing',
  device: 'Servers',
  dns: 'DNS',
  event: 'Events',
  network: 'Network',
  plan: 'Plans',
  software: 'Software',
  webhook: 'Webhooks',
};
const subjects = [...new Set(scopeNames.map(subjectOf))];

function subjectOf(scope: Scope): string {
  return scope.split(':')[0]!;
}

export interface ScopePickerProps {
  readonly label: string;
  readonly value: readonly Scope[];
  readonly onChange: (value: Scope[]) => void;
  readonly error?: string | undefined;
}

export function ScopePicker({ label, value, onChange, error }: ScopePickerProps): JSX.Element {
  const refusal = useRefusal();
  const mayGive = (scope: Scope): boolean => refusal(scope) === undefined;
  const pick = (names: readonly Scope[]): void => onChange(names.filter(mayGive));
  const set = (scope: Scope, isPicked: boolean): void =>
    onChange(scopeNames.filter((name) => (name === scope ? isPicked : value.includes(name))));
  return (
    <Input.Wrapper label={label} error={error} labelElement="div">
      <Group gap="xs" my={6} justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {value.length} of {scopeNames.length} picked
        </Text>
        <Button.Group>
          <Button variant="default" size="compact-sm" onClick={() => pick(scopeNames)}>
            All
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => pick(scopeGroups['read-only'])}>
            Read only
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => pick([])}>
            None
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
                    label={scopes[scope]}
                    description={refusal(scope) ?? scope}
                    checked={value.includes(scope)}
                    disabled={!mayGive(scope) && !value.includes(scope)}
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
