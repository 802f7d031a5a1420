// Sort orders of the list. [pure]
export const SORTS = ['newest', 'name', 'size', 'progress', 'speed', 'left'] as const
export type Sort = (typeof SORTS)[number]
