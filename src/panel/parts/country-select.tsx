// Selects a country from a list that can be searched by name and code.
import { Select, type ComboboxItem } from '@mantine/core';
import { useMemo, type JSX } from 'react';
import { countriesWith, searchCountries } from './countries.ts';
import type { FormFields } from './form-fields.ts';
import { t } from '../text/text.ts';

export function CountrySelect({ value, error, onChange }: ReturnType<FormFields<object>['input']>): JSX.Element {
  const countries = useMemo(() => countriesWith(value), [value]);
  return (
    <Select
      label={t('Country')}
      placeholder={t('Search by name or code')}
      required
      searchable
      selectFirstOptionOnChange
      allowDeselect={false}
      nothingFoundMessage={t('No such country')}
      data={[...countries]}
      filter={({ options, search, limit }) => searchCountries(options as ComboboxItem[], search).slice(0, limit)}
      value={value === '' ? null : value}
      error={error}
      onChange={(next) => onChange({ currentTarget: { value: next ?? '' } })}
    />
  );
}
