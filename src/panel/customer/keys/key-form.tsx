// Making a key, or changing one: its name, whose it is, what it may do, from where and until when.
import { Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { grantedScopes, type Scope } from '#contract/scopes.ts';
import type { Key } from '#sdk/v2.ts';
import { useChange, useRead } from '../../data/read.ts';
import { useRefusal } from '../../data/who.ts';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { ScopePicker } from '../../parts/scope-picker.tsx';
import { endOf, endsFor, type End } from './ends.ts';

export interface KeyFormProps {
  readonly of?: Key;
  readonly close: () => void;
  /** With the text of a new key. */
  readonly onMade: (secret: string) => void;
}

interface Values {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly allow: readonly string[];
  readonly expires: End;
  readonly day: string;
  readonly contact: string | null;
}

export function KeyForm({ of, close, onMade }: KeyFormProps): JSX.Element {
  const first: Values = {
    name: of?.name ?? '',
    scopes: of === undefined ? [] : [...grantedScopes(of.scopes)],
    allow: of?.allow ?? [],
    expires: of === undefined ? 'never' : 'as it is',
    day: '',
    contact: null,
  };
  const fields = useFields<Values>(first);
  const { values } = fields;
  const options = { changes: ['keyGet', 'auditGet'] };
  const make = useChange('keyCreate', { ...options, done: `${values.name} is made.` });
  const change = useChange('keyUpdate', { ...options, done: `${values.name} is changed.` });

  const send = async (): Promise<void> => {
    const expires = endOf(values.expires, values.day, Date.now());
    const { name, allow } = values;
    const scopes = [...values.scopes];
    if (of === undefined) {
      const contact = values.contact === null ? {} : { contact: values.contact };
      const { key } = await make.mutateAsync({ name, scopes, allow, expires, ...contact });
      onMade(key);
      return;
    }
    // Scopes that stay are not named: a key of which more was granted than one has oneself can still get another name.
    const areSame = scopes.length === first.scopes.length && scopes.every((scope) => first.scopes.includes(scope));
    await change.mutateAsync({ id: of.id, name, allow, expires, ...(areSame ? {} : { scopes }) });
    close();
  };

  return (
    <Form fields={fields} label={of === undefined ? 'Make the key' : 'Save'} cancel={close} send={send}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Name" required maxLength={64} data-autofocus {...fields.input('name')} />
        {of === undefined && <WhoseKey value={values.contact} onChange={(contact) => fields.set({ contact })} />}
        <Select
          label="Ends"
          data={endsFor(of)}
          value={values.expires}
          allowDeselect={false}
          error={values.expires === 'day' ? undefined : fields.errorOf('expires')}
          onChange={(expires) => fields.set({ expires: expires as End })}
        />
        {values.expires === 'day' && (
          <TextInput
            type="date"
            label="Last day"
            required
            value={values.day}
            error={fields.errorOf('expires')}
            onChange={(event) => fields.set({ day: event.currentTarget.value })}
          />
        )}
      </SimpleGrid>
      <TagsInput
        label="Networks it may be used from"
        description="Addresses or networks such as 192.0.2.0/24, Enter after each. None: from anywhere."
        value={[...values.allow]}
        error={fields.errorOf('allow')}
        splitChars={[',', ' ', ';']}
        maxTags={50}
        onChange={(allow) => fields.set({ allow })}
      />
      <ScopePicker
        label="What it may do"
        value={values.scopes}
        error={fields.errorOf('scopes')}
        onChange={(scopes) => fields.set({ scopes })}
      />
    </Form>
  );
}

interface WhoseKeyProps {
  readonly value: string | null;
  readonly onChange: (contact: string | null) => void;
}

/** A key of a contact can never do more than the contact. Somebody who is a contact makes his own keys only. */
function WhoseKey({ value, onChange }: WhoseKeyProps): JSX.Element | null {
  const refusal = useRefusal();
  const self = useRead('sessionGet', {});
  const mayLook = refusal('account:read') === undefined && self.data?.contact === '';
  const contacts = useRead('contactGet', {}, { enabled: mayLook });
  const people = (contacts.data ?? []).filter(({ subaccount }) => subaccount === '1');
  if (people.length === 0) return null;
  return (
    <Select
      label="Whose"
      placeholder="The account’s own"
      data={people.map(({ id, firstname, lastname }) => ({ value: id, label: `${firstname} ${lastname}` }))}
      value={value}
      clearable
      clearButtonProps={{ 'aria-label': 'The account’s own' }}
      onChange={onChange}
    />
  );
}
