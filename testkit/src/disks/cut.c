/* Cuts the power of a disk: cut FOLDER HOW. HOW selects the data that survives: 0 for everything written so far, 1 for
   everything in the journal of the file system, 2 for synced data only. No later write reaches the disk until it is mounted
   again. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#define EXT4_IOC_SHUTDOWN 0x8004587d

int main(int count, char **words) {
    if (count != 3) return 2;
    int folder = open(words[1], O_RDONLY | O_DIRECTORY);
    uint32_t how = (uint32_t)atoi(words[2]);
    return folder < 0 || ioctl(folder, EXT4_IOC_SHUTDOWN, &how) != 0;
}
