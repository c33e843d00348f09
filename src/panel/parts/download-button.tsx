// A button that downloads a text file from the API, which a plain link could not do: it has no key.
import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { JSX } from 'react';
import { Icon } from '../shell/icons.tsx';
import { notifyError } from './notify-error.ts';
import { saveFile } from './save-file.ts';

export interface DownloadButtonProps extends Pick<ButtonProps, 'size'> {
  readonly fileName: string;
  readonly type: string;
  readonly load: () => Promise<string>;
  /** Title of the notification if the download fails. */
  readonly errorTitle?: string;
  readonly children: string;
}

export function DownloadButton(props: DownloadButtonProps): JSX.Element {
  const { fileName: name, type, load, errorTitle, ...button } = props;
  const download = useMutation({
    mutationFn: load,
    onSuccess: (text) => saveFile({ name, type, bytes: new TextEncoder().encode(text) }),
    onError: (error) => notifyError(error, errorTitle),
  });
  return (
    <Button
      {...button}
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    />
  );
}
