// Saved filters of the server list, which the server keeps for each person.
import { Button, Menu, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { maxFilters } from '#contract/shapes/person.ts';
import { useChange, useRead } from '../../data/operations.ts';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { notifyError } from '../../parts/notify-error.ts';
import { Icon } from '../../shell/icons.tsx';
import { t } from '../../text/text.ts';

export interface SavedFiltersProps {
  /** The current filter as the query of an address; empty if it shows everything. */
  readonly query: string;
  readonly onChoose: (query: string) => void;
}

export function SavedFilters({ query, onChoose }: SavedFiltersProps): JSX.Element {
  const preferences = useRead('preferencesGet', {});
  const filters = preferences.data?.filters ?? [];
  const change = useChange('preferencesSet', { invalidates: ['preferencesGet'] });
  const saved = filters.find((filter) => filter.query === query);
  const save = (next: typeof filters) =>
    change.mutateAsync({ filters: next.map(({ name, query: of }) => ({ name, query: of })) });
  return (
    <>
      {filters.length > 0 && (
        <Menu>
          <Menu.Target>
            <Button variant="default" rightSection={<Icon name="forward" size={14} />}>
              {saved?.name ?? t('Saved filters')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {filters.map((filter) => (
              <Menu.Item key={filter.name} onClick={() => onChoose(filter.query)}>
                {filter.name}
              </Menu.Item>
            ))}
            {saved !== undefined && (
              <>
                <Menu.Divider />
                <Menu.Item
                  color="red"
                  onClick={() => void save(filters.filter((filter) => filter !== saved)).catch(notifyError)}
                >
                  {t('Delete “{name}”', { name: saved.name })}
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {query !== '' && saved === undefined && (
        <FormButton
          variant="default"
          title={t('Save filter')}
          disabledReason={
            filters.length >= maxFilters
              ? t('You have {count} saved filters. Delete one first.', { count: maxFilters })
              : undefined
          }
          form={(close) => (
            <SaveForm
              close={close}
              save={(name) => save([...filters.filter((each) => each.name !== name), { name, query }])}
            />
          )}
        />
      )}
    </>
  );
}

interface SaveFormProps {
  readonly close: () => void;
  readonly save: (name: string) => Promise<unknown>;
}

function SaveForm({ close, save }: SaveFormProps): JSX.Element {
  const fields = useFormFields({ name: '' });
  return (
    <Form fields={fields} submitLabel={t('Save')} close={close} onSubmit={() => save(fields.values.name.trim())}>
      <TextInput
        label={t('Name')}
        description={t('A filter with the same name is replaced.')}
        required
        maxLength={64}
        data-autofocus
        {...fields.input('name')}
      />
    </Form>
  );
}
