// The case of a Pi 4 or 5. Two wood screws hold it on the arm. Spacers of M2.5 hold the board: their thread goes through
// it into the posts, and the lid is screwed on them.
include <pi-outline.scad>

post = 6;
walls = wall + post + 1.4 + pi_spacer; // up to just under the lid

module notch(from, to, bottom) translate([from[0], from[1], bottom]) cube([to[0] - from[0], to[1] - from[1], walls]);

difference() {
    union() {
        linear_extrude(wall) difference() {
            outline();
            for (x = [8 : 6 : 78], y = [9, 39]) translate([x, y]) square([3, 8]); // air, beside the batten
            for (x = [27, 69]) translate([x, pi_board[1] / 2]) circle(d = wood_screw);
        }
        linear_extrude(walls) difference() { outline(); inside(); }
        linear_extrude(wall + post) at_holes() difference() { circle(d = 6.6); circle(d = m25_thread); }
    }
    edge = 2 * wall + 1;
    notch([-edge, 12], [-0.1, 42], wall);                         // the memory card, the camera's cable, the wires
    notch([5, -edge], [59, -0.1], wall + post - 1);                // power and HDMI
    notch([pi_board[0] + 0.1, 1], [pi_board[0] + edge, 55], wall + post - 1); // USB and network
}
