// What stacked bars show.

export interface BarSeries {
  readonly name: string;
  /** One for each label. */
  readonly values: readonly number[];
}
export interface BarChartProps {
  readonly title: string;
  /** Of the groups of bars, from left to right. */
  readonly labels: readonly string[];
  readonly series: readonly BarSeries[];
  readonly format: (value: number) => string;
  /** Describes the chart to people who cannot see it. */
  readonly label: string;
}
