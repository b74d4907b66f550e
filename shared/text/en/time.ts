// Pure: English, the shown moment and its control.

export const time = {
  label: 'Time',
  slider: 'Day shown',
  chartShows: (from: string, to: string) => `The chart shows ${from} to ${to}.`,
  back: 'One day back',
  forth: 'One day forward',
  play: 'Play the days up to now',
  pause: 'Pause',
  pauseWorld: 'Pause the replay',
  resumeWorld: 'Continue the replay',
  worldPaused: 'Paused',
  speed: 'Speed',
  perSecond: (days: number) => `${days}\u00a0${days === 1 ? 'day' : 'days'}/s`,
  now: 'Now',
  live: 'Live',
  backToNow: 'Back to now',
  mark: 'A past moment is shown',
  shown: (moment: string) => `Shown: ${moment}.`,
  rest: 'List, chart, factors, news and briefings are of then; alerts are of now.',
  reading: 'Reading the days of the list.',
  notRead: 'The days of the list could not be read.',
  spoken: (moment: string) => `Shown: ${moment}. Alerts are of now.`,
  briefingThen: (title: string) => `Briefing then: ${title}`,
  /** After the heading of alerts while a past moment is shown. */
  ofNow: 'of now',
} as const;
