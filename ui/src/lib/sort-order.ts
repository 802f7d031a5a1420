// Sort orders of the list that the user can choose. [pure]
export const SORTS = ['newest', 'name', 'size', 'progress', 'left'] as const
export type Sort = (typeof SORTS)[number]
