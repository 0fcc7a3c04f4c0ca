import { type Visible, visible } from '../../../base/text.ts';
import type { View } from '../../terminal/streams.ts';
import { type ItemColumn, renderItems } from '../../terminal/table.ts';
import { detailsView } from '../../views/columns.ts';

/** A setting of `swapctl config`. */
export interface SettingResult {
  readonly key: string;
  /** The stored value; null for none. */
  readonly value: string | null;
  /** Default value; null for none. */
  readonly default: string | null;
}

export type ListedSetting = SettingResult & { readonly meaning: string };

export type AddressSetting = SettingResult & {
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
};

/** A saved address: network, address and memo, for `address -` to read. */
export function addressSettingView(setting: AddressSetting): View {
  const { network, address, memo } = setting;
  return detailsView(
    setting,
    (style) => [
      ['Network', network],
      ['Address', address, style.cyan],
      ['Memo', memo, style.cyan],
    ],
    () => [memo === null ? [network, address] : [network, address, memo]],
  );
}

/** The effective value alone, for a script. */
export function settingView(setting: SettingResult): View {
  const value = setting.value ?? setting.default;
  return {
    json: () => setting,
    rows: () => (value === null ? [] : [[value]]),
    screen: (style) => {
      if (value === null) return style.dim(visible('not set'));
      return setting.value === null ? style.dim(visible(`${value} (default)`)) : visible(value);
    },
  };
}

/** Every setting, set or not. */
export function settingsView(settings: readonly ListedSetting[]): View {
  const results = settings.map(({ meaning: _, ...setting }) => setting);
  return {
    json: () => results,
    rows: () => results.map(({ key, value, default: fallback }) => [key, value, fallback]),
    screen: (style, width) => {
      const isSet = (row: readonly Visible[]) =>
        settings.some(({ key, value }) => key === row[0] && value !== null);
      const columns: ItemColumn<ListedSetting>[] = [
        { title: 'KEY', paint: style.bold, cell: ({ key }) => key },
        {
          title: 'VALUE',
          paint: (text, row) => (isSet(row) ? text : style.dim(text)),
          cell: ({ value, default: fallback }) =>
            value ?? (fallback === null ? 'not set' : `${fallback} (default)`),
        },
        { title: 'DESCRIPTION', wraps: true, cell: ({ meaning }) => meaning },
      ];
      return renderItems(settings, columns, style, width);
    },
  };
}
