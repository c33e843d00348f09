// Switches between light and dark.
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { t } from '../text/text.ts';
import type { IconName } from './icons.tsx';

export interface SchemeSwitch {
  readonly label: string;
  readonly icon: IconName;
  readonly run: () => void;
}

export function useSchemeSwitch(): SchemeSwitch {
  const { setColorScheme } = useMantineColorScheme();
  return useComputedColorScheme('light') === 'dark'
    ? { label: t('Switch to light mode'), icon: 'sun', run: () => setColorScheme('light') }
    : { label: t('Switch to dark mode'), icon: 'moon', run: () => setColorScheme('dark') };
}
